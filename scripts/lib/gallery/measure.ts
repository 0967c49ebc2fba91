/** Scrolls the page at a steady speed and measures what is visible. Runs in the browser. */

export type Scrolled = {
  /** Time from frame to frame, in ms. */
  readonly frames: readonly number[];
  /** Distance scrolled, in px. */
  readonly distance: number;
  /** Share of the gallery's part of the screen without a card, over all frames: 0 to 1. */
  readonly blank: number;
  /** Sum of all layout shifts. */
  readonly shift: number;
  /** Maximum of elements in the page, and in one card. */
  readonly nodes: number;
  readonly nodesPerCard: number;
  readonly cards: number;
};

/** In px: the 12 px between two cards and the 8 px by which a card moves while it fades in are not blank. */
const gapAllowed = 24;

/**
 * Maximum distance from one frame to the next, in px: four frames at 6,000 px/s. Blank areas after even
 * longer frames would say more about the machine than about the gallery; frame times are in the table.
 */
const maxStepPx = 400;

type Scroll = {
  /** In px/s. */
  readonly speed: number;
  readonly seconds: number;
};

export async function scrollAndMeasure({ speed, seconds }: Scroll): Promise<Scrolled> {
  const shifts = watchShifts();
  const frames: number[] = [];
  const max = { nodes: 0, cards: 0, nodesPerCard: 0 };
  // A live collection, which does not search the page in each frame.
  const everything = (document.querySelector('#root') ?? document).getElementsByTagName('*');

  let [blank, shown] = [0, 0];
  const start = await nextFrame();
  let [last, place] = [start, 0];
  while (last - start < seconds * 1000) {
    window.scrollTo(0, place);
    // One measurement per frame.
    await painted();
    const look = lookAtPage();
    blank += look.blank;
    shown += look.shown;
    // Where the scroll ends depends on the machine: the first screen has a card of each kind.
    max.nodesPerCard ||= countNodesPerCard();
    max.nodes = Math.max(max.nodes, everything.length);
    max.cards = Math.max(max.cards, look.cards);
    const now = await nextFrame();
    frames.push(now - last);
    place += Math.min(maxStepPx, ((now - last) / 1000) * speed);
    last = now;
  }
  max.nodesPerCard = Math.max(max.nodesPerCard, countNodesPerCard());
  return { frames, distance: place, blank: blank / shown, shift: shifts(), ...max };
}

/** Maximum of elements in a mounted card, which includes the card itself and its cell. */
function countNodesPerCard(): number {
  return Math.max(0, ...allCards().map((card) => card.querySelectorAll('*').length + 2));
}

/** How far a change moves the card in the middle of the screen, in px; the height of the screen when it is gone. */
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

/** Waits until a change is drawn and has faded in. */
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 1500);
  });
}

/** Counts px of height, lane by lane: the visible part of the gallery, and how much of it is blank. */
function lookAtPage() {
  const cards = allCards();
  const lanes = new Map<number, DOMRect[]>();
  for (const card of cards) {
    // A card that waits to be measured is hidden. (Reading its computed style would cost more than the
    // gallery itself.)
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

/** Resolves in the first task after the current frame. */
function painted(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(), { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}
