/** Large pictures, and forms with them that are sent as browsers do, for a benchmark and a test. */
import { type Agent, request } from 'node:http';
import sharp, { type Exif } from 'sharp';

/** A PNG of about 20 MB: noise, which no format makes smaller. `exif` is what a camera would write into it. */
export function makeLargePicture(exif?: Exif): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = sharp({
    create: { width: 2600, height: 2600, channels: 3, background: '#888', noise },
  }).png({ compressionLevel: 0 });
  return (exif === undefined ? picture : picture.withMetadata({ exif })).toBuffer();
}

export type Form = { readonly type: string; readonly bytes: Buffer };

/** A form that saves this picture. */
export async function makeForm(picture: Buffer): Promise<Form> {
  const form = new FormData();
  form.set('model_id', '1');
  form.set('prompt', 'a lighthouse');
  form.set('image', new Blob([new Uint8Array(picture)]));
  const encoded = new Response(form);
  const type = encoded.headers.get('Content-Type') ?? '';
  return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

const pieceBytes = 256 * 1024;

export type Target = { readonly url: string; readonly token: string; readonly agent: Agent };
type Reply = { readonly status: number; readonly retryAfterS: number };

/** Sends a form piece by piece, as browsers do, and stops when the answer comes before its end. */
export async function sendForm(form: Form, { url, token, agent }: Target): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let at = 0;
    let isAnswered = false;
    const headers = {
      'Content-Type': form.type,
      'Content-Length': form.bytes.length,
      Authorization: `Bearer ${token}`,
    };
    const sent = request(
      `${url}/backend/generations/save`,
      { method: 'POST', agent, headers },
      (response) => {
        isAnswered = true;
        response.resume();
        const { statusCode: status = 0 } = response;
        resolve({ status, retryAfterS: Number(response.headers['retry-after']) });
      },
    );
    /** A turn later, so that an answer that has arrived is read before more is sent. */
    const sendNext = () =>
      setImmediate(() => {
        if (isAnswered) {
          return;
        }
        const piece = form.bytes.subarray(at, at + pieceBytes);
        at += piece.length;
        if (piece.length === 0) {
          sent.end();
        } else if (sent.write(piece)) {
          sendNext();
        } else {
          sent.once('drain', sendNext);
        }
      });
    sent.on('error', (error) => {
      if (!isAnswered) {
        reject(error);
      }
    });
    sendNext();
  });
}
