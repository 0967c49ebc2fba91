/**
 * What the page of the join gate does. It works on the prerendered page and needs nothing but the document, so that the
 * page is readable before anything else could be loaded.
 */
import { type Answer } from '#contract/endpoints/endpoint';
import { answerGate, type Gate, gateTask, openGate } from '#contract/endpoints/gate';
import { callLightly, CallRefused, type Surroundings } from '#lib/light-frame';
import { toRuns } from '#lib/marked-text';

import { said } from './texts.ts';

type Task = NonNullable<Gate['task']>;
type AnsweredGate = Answer<typeof answerGate>;
type View = ReturnType<typeof createView>;

const endsOnTheirOwn: ReadonlySet<string> = new Set([
  'invalid_launch_data',
  'launch_too_old',
  'not_found',
]);

/** Begins to use the page. Returns the function that ends it. */
export function startGate(root: HTMLElement, around: Surroundings): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const part = (name: string) => root.querySelector<HTMLElement>(`[data-part="${name}"]`);
  const view = createView(root, part);
  const calls = createCalls(around, signal);
  const clock = createCountdown(part('time'), () => void load());
  const button = createAnswerButton(around, view, () => void send());
  let work: Promise<number> | undefined;

  function show(gate: Gate): void {
    view.setHeading(gate.chat_name === '' ? undefined : said.join(gate.chat_name));
    const { state, task } = gate;
    if (state === 'open' && task !== null) {
      view.showTask(gate, task);
      work = workOut(task, signal);
      work.catch(() => undefined);
      clock.start(gate.seconds_left, (text) => view.say(text));
      button.begin(task);
    } else {
      const minutes = Math.max(1, Math.ceil(gate.seconds_left / 60));
      end(state, state === 'failed' ? said.failed(minutes) : undefined);
    }
  }

  function end(name: string, text?: string): void {
    clock.stop();
    view.showEnd(name, text);
    around.haptic(name === 'in' || name === 'passed' ? 'success' : 'warning');
    const { close } = around;
    button.end(
      name === 'away'
        ? { text: said.again, isEnabled: true, isBusy: false, press: () => void load() }
        : close && { text: said.close, isEnabled: true, isBusy: false, press: close },
    );
  }

  /** `otherwise` says what the person alone can mend. */
  function refuse(error: unknown, otherwise: (text: string | undefined) => void): void {
    const { isEnd, text } = readRefusal(error);
    if (isEnd) {
      end('refused', text);
    } else if (!signal.aborted) {
      otherwise(text);
    }
  }

  async function load(): Promise<void> {
    if (around.initData === undefined) {
      end('outside');
      return;
    }
    await calls.open().then(show, (error: unknown) => refuse(error, () => end('away')));
  }

  function take({ outcome, ...gate }: AnsweredGate): void {
    if (outcome === 'too_fast') {
      around.haptic('warning');
      view.say(said.tooFast);
      return;
    }
    show(gate);
    if (gate.state === 'open') {
      around.haptic('error');
      view.say(outcome === 'wrong' ? said.wrong(gate.tries_left) : said.outdated);
      view.goToTask();
    }
  }

  async function send(): Promise<void> {
    const given = button.take();
    if (given === undefined) {
      return;
    }
    try {
      take(await calls.answer(given, view.readAnswer(), (await work) ?? 0));
    } catch (error) {
      // What was chosen stays.
      refuse(error, (text) => view.say(text ?? said.offline));
    }
    button.settle();
  }

  view.onChoice(signal, () => {
    around.haptic('selection');
    button.show();
  });
  view.onSubmit(signal, () => void send());
  const stopWatching = watchTask(part('task'), (isSeen) => button.see(isSeen));
  void load();

  return () => {
    ending.abort();
    stopWatching();
    clock.stop();
    around.setMainButton(undefined);
  };
}

/** `text` is the server's sentence; undefined when there was no answer. */
function readRefusal(error: unknown): {
  readonly isEnd: boolean;
  readonly text: string | undefined;
} {
  const { code, message } = error instanceof CallRefused ? error : new CallRefused(undefined);
  return {
    isEnd: code !== undefined && endsOnTheirOwn.has(code),
    text: code === undefined ? undefined : message,
  };
}

/** The calls of the page, for the request that is meant. */
function createCalls({ initData = '', chatId }: Surroundings, signal: AbortSignal) {
  const launch = {
    init_data: initData,
    ...(chatId === undefined ? {} : { chat_id: chatId }),
  };
  return {
    open: (): Promise<Gate> => callLightly(openGate, launch, signal),
    answer: ({ ticket }: Task, answer: readonly number[], work: number): Promise<AnsweredGate> =>
      callLightly(answerGate, { ...launch, ticket, answer: [...answer], work }, signal),
  };
}

/** The main button while there is a task: it leads to the task, and then sends the answer. */
function createAnswerButton(around: Surroundings, view: View, send: () => void) {
  let task: Task | undefined;
  let isBusy = false;
  let isTaskSeen = true;

  const isReady = () => view.readAnswer().length === gateTask.choose;

  function show(): void {
    if (task !== undefined) {
      around.setMainButton(
        isTaskSeen
          ? { text: said.answer, isEnabled: isReady(), isBusy, press: send }
          : { text: said.toTask, isEnabled: true, isBusy: false, press: () => view.goToTask() },
      );
    }
  }

  return {
    show,
    begin(next: Task): void {
      task = next;
      show();
    },
    end(button: Parameters<Surroundings['setMainButton']>[0]): void {
      task = undefined;
      around.setMainButton(button);
    },
    /** The task to answer now; undefined when it is not to be answered. */
    take(): Task | undefined {
      if (task === undefined || isBusy || !isReady()) {
        return undefined;
      }
      isBusy = true;
      show();
      return task;
    },
    settle(): void {
      isBusy = false;
      show();
    },
    see(isSeen: boolean): void {
      isTaskSeen = isSeen;
      show();
    },
  };
}

/** Tells whether any of the task is on the screen: below long rules it is not. */
function watchTask(form: HTMLElement | null, change: (isSeen: boolean) => void): () => void {
  if (form === null || !('IntersectionObserver' in window)) {
    return () => undefined;
  }
  const observer = new IntersectionObserver(([entry]) => change(entry?.isIntersecting === true));
  observer.observe(form);
  return () => observer.disconnect();
}

/** Draws on the prerendered page, and reads what is chosen. */
function createView(root: HTMLElement, part: (name: string) => HTMLElement | null) {
  const boxes = [...root.querySelectorAll<HTMLInputElement>('input[name="word"]')];
  const readAnswer = () => boxes.flatMap((box, at) => (box.checked ? [at] : []));
  const setText = (name: string, text: string) => {
    const element = part(name);
    if (element !== null) {
      element.textContent = text;
    }
  };
  const say = (text: string) => setText('status', text);

  function showCount(): void {
    setText('count', said.chosen(readAnswer().length, gateTask.choose));
  }

  function show(state: 'open' | 'ended'): void {
    root.dataset['state'] = state;
    for (const name of ['task', 'rules', 'time']) {
      part(name)?.toggleAttribute('hidden', state === 'ended');
    }
    for (const section of root.querySelectorAll<HTMLElement>('[data-end]')) {
      section.hidden = true;
    }
  }

  return {
    readAnswer,
    say,
    setHeading: (text: string | undefined) => text !== undefined && setText('heading', text),

    showTask({ rules }: Gate, { question, words }: Task): void {
      show('open');
      const place = part('rules');
      const text = part('text');
      if (place !== null && text !== null) {
        place.hidden = rules === null;
        showRules(text, rules);
      }
      setText('question', question);
      for (const [at, box] of boxes.entries()) {
        const { word = '', picture = '' } = words[at] ?? {};
        const [image, name] = box.parentElement?.querySelectorAll('[data-part]') ?? [];
        box.disabled = false;
        box.checked = false;
        image?.replaceChildren(picture);
        name?.replaceChildren(word);
      }
      say('');
      showCount();
    },

    showEnd(name: string, text: string | undefined): void {
      show('ended');
      say('');
      setText('time', '');
      const section = root.querySelector<HTMLElement>(`[data-end="${name}"]`);
      if (section === null) {
        return;
      }
      section.hidden = false;
      if (text !== undefined && text !== '') {
        section.querySelector('p')?.replaceChildren(text);
      }
      // A screen reader reads how it has ended.
      section.querySelector('h2')?.focus({ preventScroll: true });
    },

    goToTask(): void {
      part('task')?.scrollIntoView({ block: 'start' });
      part('question')?.focus({ preventScroll: true });
    },

    ...createListeners(root, { readAnswer, say, showCount }),
  };
}

/** Calls back when something is chosen, and when the form is sent. */
function createListeners(
  root: HTMLElement,
  {
    readAnswer,
    say,
    showCount,
  }: {
    readonly readAnswer: () => readonly number[];
    readonly say: (text: string) => void;
    readonly showCount: () => void;
  },
) {
  return {
    onChoice(signal: AbortSignal, changed: () => void): void {
      root.addEventListener(
        'change',
        ({ target }) => {
          if (target instanceof HTMLInputElement && readAnswer().length > gateTask.choose) {
            target.checked = false;
            say(said.full(gateTask.choose));
          } else {
            say('');
          }
          showCount();
          changed();
        },
        { signal },
      );
    },

    onSubmit(signal: AbortSignal, submit: () => void): void {
      root.addEventListener(
        'submit',
        (event) => {
          event.preventDefault();
          submit();
        },
        { signal },
      );
    },
  };
}

const minuteS = 60;

/** Shows how much time is left. `over` is called when none is. */
function createCountdown(place: HTMLElement | null, over: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  let endsAt = 0;

  const stop = () => clearInterval(timer);

  return {
    stop,
    start(seconds: number, say: (text: string) => void): void {
      stop();
      endsAt = performance.now() + seconds * 1000;
      let wasLong = seconds > minuteS;
      const show = () => {
        const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
        const time = `${Math.floor(left / minuteS)}:${String(left % minuteS).padStart(2, '0')}`;
        place?.replaceChildren(said.timeLeft(time));
        if (left === 0) {
          stop();
          over();
        } else if (wasLong && left <= minuteS) {
          wasLong = false;
          say(said.lastMinute);
        }
      };
      show();
      timer = setInterval(show, 1000);
    },
  };
}

const elements: Readonly<Record<string, string>> = {
  blockquote: 'blockquote',
  expandable_blockquote: 'blockquote',
  pre: 'pre',
  code: 'code',
  bold: 'strong',
  italic: 'em',
  underline: 'u',
  strikethrough: 's',
};

/** The rules with their formatting. They are text: nothing in them can become markup. */
function showRules(place: HTMLElement, rules: Gate['rules']): void {
  const runs = rules === null ? [] : toRuns(rules.text, rules.entities);
  place.replaceChildren(
    ...runs.map(({ text, types, url }) => {
      let node: Node = document.createTextNode(text);
      if (url !== undefined && /^(?:https?|tg):\/\//i.test(url)) {
        const link = document.createElement('a');
        Object.assign(link, { href: url, target: '_blank', rel: 'noopener noreferrer' });
        link.append(node);
        node = link;
      }
      for (const [type, name] of Object.entries(elements).toReversed()) {
        if (types.has(type)) {
          const element = document.createElement(name);
          element.append(node);
          node = element;
        }
      }
      return node;
    }),
  );
}

const targetBits = 128;

/**
 * Finds the number that the task asks for: about a second of a cheap phone, and the same work for a program. The browser does
 * it beside the page, which stays usable.
 */
async function workOut(
  { ticket, work }: Pick<Task, 'ticket' | 'work'>,
  signal: AbortSignal,
): Promise<number> {
  const { iterations, candidates, target } = work;
  const encoder = new TextEncoder();
  const salt = encoder.encode(ticket);
  for (let number = 0; number < candidates && !signal.aborted; number += 1) {
    const key = await crypto.subtle.importKey(
      'raw',
      encoder.encode(String(number)),
      'PBKDF2',
      false,
      ['deriveBits'],
    );
    const bits = await crypto.subtle.deriveBits(
      { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
      key,
      targetBits,
    );
    if (toHex(bits) === target) {
      return number;
    }
  }
  // The server says what is to be done then.
  return 0;
}

const toHex = (bits: ArrayBuffer): string =>
  Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, '0')).join('');
