/** What is counted at the end of a raid, and what of it may not be otherwise. */
import { type Answer, type Newcomer } from './accounts.ts';
import { type RaidGroup, type Step } from './group.ts';

/** A line of the report. `isRight` is undefined for a figure that may be anything. */
export type RaidCheck = {
  readonly what: string;
  readonly found: string;
  readonly isRight?: boolean;
};

type Raid = {
  readonly group: RaidGroup;
  readonly newcomers: readonly Newcomer[];
  readonly answers: readonly Answer[];
  readonly startedAt: number;
  readonly cpuSeconds: number;
};

/** What the group may hear of the bot. */
const maxPublic = 5;

export function checkRaid(raid: Raid): readonly RaidCheck[] {
  return [
    ...checkMembers(raid),
    ...checkMessages(raid),
    ...listTimes(raid),
    ...listCalls(raid),
    ...tellStories(raid),
  ];
}

const none = (what: string, count: number): RaidCheck => ({
  what,
  found: String(count),
  isRight: count === 0,
});

function checkMembers({ group, newcomers, startedAt }: Raid): readonly RaidCheck[] {
  const people = newcomers.filter(({ isPerson }) => isPerson);
  const raiders = newcomers.filter(({ isPerson }) => !isPerson);
  const inside = people.filter(({ id }) => group.mayWrite(id));
  const lucky = new Set(
    raiders.map(({ id }) => id).filter((id) => hasStep(group.steps, id, 'let in')),
  );
  const staying = raiders.filter(
    ({ id }) => group.isIn(id) && !group.mayWrite(id) && !lucky.has(id),
  );
  const writing = raiders.filter(({ id }) => group.mayWrite(id));
  const removals = group.steps.filter(
    ({ id, what }) => /removed|banned/.test(what) && raiders.some((raider) => raider.id === id),
  );
  const lastAt = Math.max(startedAt, ...removals.map(({ at }) => at));
  return [
    {
      what: 'people who are in and may write',
      found: `${inside.length} of ${people.length}`,
      isRight: inside.length === people.length,
    },
    {
      what: 'people who passed',
      found: `${people.filter(({ id }) => hasStep(group.steps, id, 'let in')).length} of ${people.length}`,
      isRight: people.every(({ id }) => hasStep(group.steps, id, 'let in')),
    },
    none(
      'people who were removed or banned',
      people.filter(({ id }) => hasStep(group.steps, id, 'removed', 'banned')).length,
    ),
    none('raiders who may write', writing.length),
    none('raiders who are in, muted, without having passed', staying.length),
    { what: 'raiders who passed by luck, and are muted now', found: String(lucky.size) },
    { what: 'last raider out', found: `after ${((lastAt - startedAt) / 1000).toFixed(1)} s` },
  ];
}

const hasStep = (steps: readonly Step[], who: number, ...kinds: readonly Step['what'][]) =>
  steps.some(({ id, what }) => id === who && kinds.includes(what));

function checkMessages({ group, newcomers }: Raid): readonly RaidCheck[] {
  const written = [...group.written.values()];
  const ofRaiders = written.filter(({ by, hasPassed }) => !by.isPerson && !hasPassed);
  const ofPassed = written.filter(({ by, hasPassed }) => !by.isPerson && hasPassed);
  const ofPeople = written.filter(({ by }) => by.isPerson);
  const isNewcomer = new Set(newcomers.map(({ id }) => id));
  const rightly = ofPeople.filter(({ by, hasPassed }) => hasPassed || !isNewcomer.has(by.id));
  const early = ofPeople.length - rightly.length;
  const raiders = new Set(newcomers.filter(({ isPerson }) => !isPerson).map(({ id }) => id));
  const isStanding = ({ messageId }: { readonly messageId: number }) => !group.isDeleted(messageId);
  const { heard } = group;
  const joinLines = listJoinLines(group, raiders);
  const removalLines = group.lines.filter(
    (line) => line.isByBot && !line.isJoin && raiders.has(line.about) && isStanding(line),
  );
  return [
    {
      what: 'messages of people who are in, deleted',
      found: `${rightly.filter(({ messageId }) => group.isDeleted(messageId)).length} of ${rightly.length}`,
      isRight: rightly.every(isStanding),
    },
    { what: 'messages of people before they passed', found: String(early) },
    {
      what: 'messages of raiders that stand',
      found: `${ofRaiders.filter(isStanding).length} of ${ofRaiders.length}`,
      isRight: !ofRaiders.some(isStanding),
    },
    {
      // A process that is killed forgets what it has counted, so that a flood is counted from its next message on.
      what: 'messages of raiders who passed by luck, that stand',
      found: `${ofPassed.filter(isStanding).length} of ${ofPassed.length}`,
    },
    { what: 'messages that Telegram did not take', found: String(group.refused.messages) },
    {
      what: 'messages of the bot that all saw',
      found: [heard.length, ...new Set(heard.map(({ text }) => `“${text}”`))].join(' '),
      isRight: heard.length <= maxPublic,
    },
    none('lines that say that a raider has joined, who was removed', joinLines.length),
    none('lines that say that the bot has removed a raider', removalLines.length),
  ];
}

/** What still says that someone has joined whom the bot has removed. Who left by themselves did join. */
function listJoinLines(
  group: RaidGroup,
  ids: ReadonlySet<number>,
): readonly RaidGroup['lines'][number][] {
  const ends = new Set<Step['what']>(['let in', 'left', 'removed', 'banned']);
  return group.lines.filter(({ isJoin, about, at, messageId }) => {
    const end = group.steps.find(
      (step) => step.id === about && step.at >= at && ends.has(step.what),
    )?.what;
    const isRemoved = end === 'removed' || end === 'banned';
    return isJoin && isRemoved && ids.has(about) && !group.isDeleted(messageId);
  });
}

/** From each step of an account to the next of another kind. */
function listWaits(
  steps: readonly Step[],
  from: Step['what'],
  to: Step['what'],
): readonly number[] {
  return steps.flatMap((step, index) => {
    if (step.what !== from) {
      return [];
    }
    const next = steps.slice(index + 1).find(({ id }) => id === step.id);
    return next?.what === to ? [next.at - step.at] : [];
  });
}

function listTimes({ group: { steps }, answers }: Raid): readonly RaidCheck[] {
  const solved = steps
    .filter(({ what }) => what === 'let in')
    .flatMap((entry) => {
      const last = answers.findLast(
        ({ id, at, isRight }) => id === entry.id && at <= entry.at && isRight,
      );
      return last === undefined ? [] : [entry.at - last.at];
    });
  return [
    { what: 'from joining to mute', found: spread(listWaits(steps, 'joined', 'muted')) },
    { what: 'from the right answer to being let in', found: spread(solved) },
  ];
}

function spread(waits: readonly number[]): string {
  const sorted = waits.toSorted((one, other) => one - other);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]?.toFixed(0) ?? '-';
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms (${sorted.length})`;
}

function listCalls({ group, cpuSeconds, answers }: Raid): readonly RaidCheck[] {
  const { calls, steps } = { ...group.api, ...group };
  const again = (what: RegExp) => {
    const times = new Map<number, number>();
    for (const { body } of calls.filter(({ method }) => what.test(method))) {
      const id = Number(body['user_id']);
      times.set(id, (times.get(id) ?? 0) + 1);
    }
    return [...times].reduce((sum, [id, count]) => {
      const joins = steps.filter((step) => step.id === id && step.what === 'joined').length;
      return sum + Math.max(0, count - Math.max(1, joins));
    }, 0);
  };
  return [
    {
      what: 'bans and removals more than once a joining',
      found: String(again(/^(?:un)?banChatMember$/)),
    },
    {
      what: 'answers',
      found: `${answers.length}, ${answers.filter(({ isRight }) => isRight).length} right`,
    },
    { what: 'calls that Telegram refused as too many', found: String(group.counts.flooded) },
    {
      what: 'calls',
      found: [...group.counts.calls].map(([method, count]) => `${method} ${count}`).join(', '),
    },
    { what: 'CPU of the server', found: `${cpuSeconds.toFixed(1)} s` },
  ];
}

const maxStories = 20;

/** What happened to some of those who are not where they should be. */
function tellStories({ group, newcomers, startedAt, answers }: Raid): readonly RaidCheck[] {
  const { steps, written } = group;
  const toSeconds = (at: number) => ((at - startedAt) / 1000).toFixed(2);
  const isWrong = ({ id, isPerson }: Newcomer) => {
    const isLetIn = hasStep(steps, id, 'let in');
    const stands = [...written.values()].some(
      ({ by, messageId, hasPassed }) => by.id === id && !hasPassed && !group.isDeleted(messageId),
    );
    return isPerson
      ? !isLetIn || !group.mayWrite(id) || hasStep(steps, id, 'removed', 'banned')
      : stands ||
          group.mayWrite(id) ||
          (group.isIn(id) && !isLetIn) ||
          listJoinLines(group, new Set([id])).length > 0;
  };
  return newcomers
    .filter(isWrong)
    .slice(0, maxStories)
    .map(({ id, name, role }) => ({
      what: `${name} (${id}, ${role})`,
      found: [
        ...steps.filter((step) => step.id === id),
        ...answers
          .filter((answer) => answer.id === id)
          .map(({ at, isRight }) => ({ at, what: isRight ? 'right' : 'wrong' })),
        ...[...written.values()]
          .filter(({ by, messageId }) => by.id === id && !group.isDeleted(messageId))
          .map(({ at, messageId }) => ({ at, what: `wrote ${messageId}` })),
        ...group.lines
          .filter(({ about, messageId }) => about === id && !group.isDeleted(messageId))
          .map(({ at, messageId }) => ({ at, what: `line ${messageId}` })),
      ]
        .toSorted((one, other) => one.at - other.at)
        .map(({ at, what }) => `${toSeconds(at)} ${what}`)
        .join(', '),
    }));
}
