/** Scrolls the page at a steady speed and notes what a person would see of it. Runs in the browser. */

export type Scrolled = {
  /** Time from frame to frame, in ms. */
  readonly frames: readonly number[];
  /** How far it came, in px. */
  readonly distance: number;
  /** Share of the gallery's part of the screen without a card, over all frames: 0 to 1. */
  readonly blank: number;
  /** Sum of all layout shifts. */
  readonly shift: number;
  /** The most elements in the page at once, and the most in one card. */
  readonly nodes: number;
  readonly nodesPerCard: number;
  readonly cards: number;
};

/** Neither the 12 px between two cards nor the 8 px by which one that fades in still hangs down are a hole. */
const gapAllowed = 24;

/**
 * From one frame to the next, in px: four frames' way at 6,000 px/s. Where frames take longer still, a
 * hole says more of the machine than of the gallery; their times are in the table.
 */
const farthest = 400;

type Scroll = {
  /** In px/s. */
  readonly speed: number;
  readonly seconds: number;
};

export async function scrollAndMeasure({ speed, seconds }: Scroll): Promise<Scrolled> {
  const shifts = watchShifts();
  const frames: number[] = [];
  const most = { nodes: 0, cards: 0 };
  // Lists that follow the page, and need not search it in each frame.
  const everything = (document.querySelector('#root') ?? document).getElementsByTagName('*');

  let [blank, shown] = [0, 0];
  const start = await nextFrame();
  let [last, place] = [start, 0];
  while (last - start < seconds * 1000) {
    window.scrollTo(0, place);
    // Frames follow each other, as do their measurements.
    await painted();
    const look = lookAtPage();
    blank += look.blank;
    shown += look.shown;
    most.nodes = Math.max(most.nodes, everything.length);
    most.cards = Math.max(most.cards, look.cards);
    const now = await nextFrame();
    frames.push(now - last);
    place += Math.min(farthest, ((now - last) / 1000) * speed);
    last = now;
  }
  const nodesPerCard = Math.max(
    ...allCards().map(
      // With itself and the place it stands in.
      (card) => card.querySelectorAll('*').length + 2,
    ),
  );
  return { frames, distance: place, nodesPerCard, blank: blank / shown, shift: shifts(), ...most };
}

/** How far a change moves the card in the middle of the screen, in px; all the screen when it is gone. */
export async function measureJump(change: () => void): Promise<number> {
  await settle();
  const middle = window.innerHeight / 2;
  const away = (card: Element) => {
    const { top, bottom } = card.getBoundingClientRect();
    return Math.abs((top + bottom) / 2 - middle);
  };
  const seen = allCards()
    .toSorted((a, b) => away(a) - away(b))
    .at(0);
  const name = readName(seen);
  const before = seen?.getBoundingClientRect().top ?? 0;
  change();
  await settle();
  const after = allCards()
    .find((card) => readName(card) === name)
    ?.getBoundingClientRect().top;
  return after === undefined ? window.innerHeight : Math.abs(after - before);
}

/** Long enough for everything that follows a change, fading in included. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1500);
  });
}

/** Counts in px of height, lane by lane: what shows of the gallery, and how much of it is empty. */
function lookAtPage() {
  const cards = allCards();
  const lanes = new Map<number, DOMRect[]>();
  for (const card of cards) {
    // A card that waits to be measured is there, but not to be seen. (To ask for its computed style
    // would cost more than what is measured here.)
    if (card.closest('[style*="visibility: hidden"]') === null) {
      const box = card.getBoundingClientRect();
      const lane = Math.round(box.left);
      lanes.set(lane, [...(lanes.get(lane) ?? []), box]);
    }
  }
  const columns = window.innerWidth < 800 ? 2 : 3;
  let blank = Math.max(0, columns - lanes.size) * window.innerHeight;
  for (const boxes of lanes.values()) {
    blank += holes(boxes);
  }
  return {
    blank,
    shown: columns * window.innerHeight,
    cards: cards.length,
  };
}

function readName(card: Element | undefined): string | undefined {
  return card?.querySelector('h2')?.textContent;
}

function allCards(): Element[] {
  return [...document.querySelectorAll('#root article')];
}

function holes(boxes: readonly DOMRect[]): number {
  let [y, empty] = [0, 0];
  for (const { top, bottom } of boxes.toSorted((a, b) => a.top - b.top)) {
    const hole = Math.min(top, window.innerHeight) - y;
    empty += hole > gapAllowed ? hole : 0;
    y = Math.max(y, bottom);
  }
  const rest = window.innerHeight - y;
  return empty + (rest > gapAllowed ? rest : 0);
}

function watchShifts(): () => number {
  let sum = 0;
  const note = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      sum += 'value' in entry && typeof entry.value === 'number' ? entry.value : 0;
    }
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  return () => {
    note(observer.takeRecords());
    observer.disconnect();
    return sum;
  };
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(resolve);
  });
}

/** Resolves in the first task after the frame that is under way. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(), { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}
