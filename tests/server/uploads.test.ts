/** Uploads: who may send how much at once, what is refused before it is read, and what a refusal leaves behind. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

import { limits } from '#server/lib/limits';
import { ann, makePng, readHistory, save, startWithPeople } from '#tests/pictures';
import { createMemoryStore, createTestServer, type TestServer } from '#tests/test-server';

const mb = 1024 * 1024;
const hour = 60 * 60 * 1000;

/** A form whose picture is sent piece by piece; `read` counts the pieces that the server has read. */
function createSlowForm() {
  let read = 0;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => {
        controller = given;
      },
      pull: () => {
        read += 1;
      },
    },
    // Nothing is prepared before it is read.
    { highWaterMark: 0 },
  );
  const send = (text: string | Uint8Array) => controller?.enqueue(Buffer.from(text));
  send(
    '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n',
  );
  return {
    body,
    read: () => read,
    send,
    finish: () => {
      send('\r\n--x--\r\n');
      controller?.close();
    },
    breakOff: () => controller?.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
  };
}

type SlowForm = ReturnType<typeof createSlowForm>;

async function upload(
  server: TestServer,
  token: string,
  { body, bytes }: Pick<SlowForm, 'body'> & { readonly bytes?: number | undefined },
) {
  // Undici requires `duplex` for a stream, and the type of a request does not have it yet.
  const streamed = { body, duplex: 'half' };
  return server.request('/backend/generations/save', {
    ...streamed,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      ...(bytes === undefined ? {} : { 'Content-Length': String(bytes) }),
    },
  });
}

test('after 240 pictures in an hour the next is refused before anything of it is read', async () => {
  const { server, tokens } = await startWithPeople();
  for (let count = 0; count < limits.savedPictures.max; count += 1) {
    await server.services.limiter.take(limits.savedPictures, ann);
  }
  const form = createSlowForm();

  const refused = await upload(server, tokens.ann, form);
  server.wait(hour);
  const later = await save(server, tokens.ann);

  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.headers.get('Retry-After')).toBe('3600');
  expect(form.read()).toBe(0);
  expect(later.status).toBe(201);
});

test('a user’s third upload waits unread until one of two is over; the ninth is refused; other users do not wait', async () => {
  const { server, tokens, objects } = await startWithPeople();
  const forms = Array.from({ length: 8 }, createSlowForm);
  const uploads = forms.map((form) => upload(server, tokens.ann, form));
  const countRead = () => forms.filter((form) => form.read() > 0).length;
  await expect.poll(countRead).toBe(2);
  const ninth = createSlowForm();

  const refused = await upload(server, tokens.ann, ninth);
  const other = await save(server, tokens.bob);
  const readMeanwhile = countRead();
  forms[0]?.breakOff();
  await expect.poll(countRead).toBe(3);
  for (const form of forms) {
    form.breakOff();
  }
  await Promise.all(uploads);
  const after = await save(server, tokens.ann);

  expect(refused).toMatchObject({
    status: 429,
    body: {
      detail: 'Many of your pictures are being saved. Please wait until some are saved.',
    },
  });
  expect(refused.headers.get('Retry-After')).toBe('15');
  expect(ninth.read()).toBe(0);
  expect(readMeanwhile).toBe(2);
  expect([other.status, after.status]).toEqual([201, 201]);
  // Two pictures with their small copies, and nothing of those that were broken off.
  expect(objects.names()).toHaveLength(4);
});

test.each([
  ['declared beforehand', true],
  ['found out while they arrive', false],
])('128 MB may arrive at once, of all users together, %s', async (_how, isDeclared) => {
  const { server, objects } = await startWithPeople();
  const forms = Array.from({ length: 8 }, createSlowForm);
  const uploads = await Promise.all(
    forms.map(async (form, index) => {
      const token = await server.signUp(1000 + index);
      return {
        form,
        reply: () =>
          upload(server, token, { body: form.body, bytes: isDeclared ? 18 * mb : undefined }),
      };
    }),
  );

  const replies: ReturnType<typeof upload>[] = [];
  for (const { form, reply } of uploads) {
    replies.push(reply());
    await expect
      .poll(form.read, { interval: 1 })
      .toBeGreaterThanOrEqual(replies.length > 7 ? 0 : 1);
    form.send(Buffer.alloc(isDeclared ? 1 : 18 * mb));
  }
  const refused = await replies.at(-1);
  for (const form of forms) {
    form.breakOff();
  }
  await Promise.all(replies);

  expect(refused).toMatchObject({ status: 503, body: { code: 'busy' } });
  expect(refused?.headers.get('Retry-After')).toBe('5');
  expect(objects.names()).toEqual([]);
});

test('a picture whose connection breaks leaves nothing behind', async () => {
  const { server, tokens, objects } = await startWithPeople();
  const form = createSlowForm();
  const reply = upload(server, tokens.ann, form);
  form.send(Buffer.alloc(mb));
  const readDraft = async () => objects.read(objects.names()[0] ?? '');
  await expect.poll(async () => (await readDraft())?.size ?? 0).toBeGreaterThan(0);

  form.breakOff();
  await reply;

  expect(objects.names()).toEqual([]);
  expect(await readHistory(server, tokens.ann)).toEqual([]);
  // Neither for a failure of the server nor for one of the database.
  expect(server.logLines.filter((line) => /"level":[456]0/.test(line))).toEqual([]);
});

test('a picture that declares more than 20 MB is refused unread, and never as if there were room for it later', async () => {
  const { server, tokens } = await startWithPeople();
  const form = createSlowForm();

  const replies = [];
  for (const bytes of [25 * mb, 130 * mb, 3000 * mb]) {
    replies.push(await upload(server, tokens.ann, { body: form.body, bytes }));
  }
  const visitor = await upload(server, 'not a token', { body: form.body, bytes: 25 * mb });

  for (const reply of replies) {
    expect(reply).toMatchObject({ status: 413, body: { code: 'picture_too_large' } });
  }
  expect(visitor.status).toBe(401);
  expect(form.read()).toBe(0);
});

test('an upload that is refused for want of room is not one of the pictures of the hour', async () => {
  const { server, tokens, objects } = await startWithPeople();
  for (let count = 1; count < limits.savedPictures.max; count += 1) {
    await server.services.limiter.take(limits.savedPictures, ann);
  }
  objects.setFree(0);

  const refused = [await save(server, tokens.ann), await save(server, tokens.ann)];
  objects.setFree(Number.MAX_SAFE_INTEGER);
  const saved = await save(server, tokens.ann);
  const next = await save(server, tokens.ann);

  expect(refused.map(({ status }) => status)).toEqual([507, 507]);
  expect([saved.status, next.status]).toEqual([201, 429]);
});

test('uploads whose files cannot be removed keep no places', async () => {
  const store = createMemoryStore();
  let isBroken = true;
  const remove = async () => {
    if (isBroken) {
      throw new Error('EIO: i/o error');
    }
  };
  const objects = { ...store, open: async () => ({ ...(await store.open()), discard: remove }) };
  const server = await createTestServer({ objects });
  const token = await server.signUp(ann);

  const failed = [1, 2, 3].map(() => save(server, token));
  await Promise.all(failed);
  isBroken = false;
  const later = await save(server, token);

  expect(later.status).toBe(201);
});

test('an upload that arrives byte by byte takes no memory for each byte', async () => {
  const { server } = await startWithPeople();
  setFlagsFromString('--expose-gc');
  const measure = () => {
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed;
  };
  const begun = await server.services.uploads.begin({
    telegramId: ann,
    bytes: undefined,
    signal: new AbortController().signal,
  });
  const before = measure();

  for (let count = 0; count < mb; count += 1) {
    begun.countBytes(1);
  }
  const grownBy = measure() - before;
  await begun.end();

  expect(grownBy).toBeLessThan(10 * mb);
});

test('a form is read the same in whatever pieces it arrives', async () => {
  const { server, tokens } = await startWithPeople();
  const bytes = Buffer.from(await (await makePng()).arrayBuffer());
  const fields = { model_id: '1', prompt: 'a lighthouse – 灯台\r\n--x', nsfw: 'true', ratio: '' };
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `--boundary of one\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const whole = Buffer.concat([
    Buffer.from(
      `a preamble\r\n${texts.join('')}--boundary of one\r\nContent-Type: image/png\r\ncontent-disposition: form-data; filename="--boundary of one"; name="image"\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--boundary of one--\r\nan epilogue'),
  ]);

  for (const size of [1, 2, 7, 64, whole.length]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
      whole.subarray(index * size, (index + 1) * size),
    );
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const piece of pieces) {
          controller.enqueue(piece);
        }
        controller.close();
      },
    });
    const streamed = { body, duplex: 'half' };
    const reply = await server.request('/backend/generations/save', {
      ...streamed,
      method: 'POST',
      headers: {
        Authorization: `Bearer ${tokens.bob}`,
        'Content-Type': 'multipart/form-data; charset=utf-8; boundary="boundary of one"',
      },
    });
    expect(reply.status).toBe(201);
  }

  const history = await readHistory(server, tokens.bob);
  expect(history).toHaveLength(5);
  for (const saved of history) {
    const picture = await server.app.request(saved.imageUrl ?? '');
    expect(saved).toMatchObject({ prompt: 'a lighthouse – 灯台\r\n--x', nsfw: true, ratio: '' });
    expect(Buffer.from(await picture.arrayBuffer()).equals(bytes)).toBe(true);
  }
});

test.each([
  ['ends too soon', '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\na light'],
  ['has a part without a name', '--x\r\nContent-Type: text/plain\r\n\r\na\r\n--x--'],
  ['has a delimiter that goes on', '--xyz\r\n\r\na\r\n--x--'],
  ['has an endless head', `--x\r\nContent-Disposition: ${'a'.repeat(9000)}`],
  [
    'names a field twice',
    `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(2)}--x--`,
  ],
  [
    'has a hundred fields',
    `${Array.from({ length: 100 }, (_, index) => `--x\r\nContent-Disposition: form-data; name="${index}"\r\n\r\n1\r\n`).join('')}--x--`,
  ],
])('a form that %s is refused', async (_what, body) => {
  const { server, tokens, objects } = await startWithPeople();

  const reply = await server.request('/backend/generations/save', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.ann}`,
      'Content-Type': 'multipart/form-data; boundary=x',
    },
    body,
  });

  expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(objects.names()).toEqual([]);
});
