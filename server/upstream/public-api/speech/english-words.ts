/** English words that the rules of spelling would get wrong, among the commonest ones, and the names of letters. */

/** `one: sounds | other: sounds` as pairs. */
export function entriesOf(text: string): readonly (readonly [string, string])[] {
  return text
    .split(/[|\n]/)
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [name = '', sounds = ''] = entry.split(': ');
      return [name.trim().replace(/:$/, ''), sounds.trim()];
    });
}

export const exceptions: ReadonlyMap<string, string> = new Map(
  entriesOf(`
  a: ax | about: ax b a uh t | again: ax g eh n | all: oh l | also: oh l s ax uh | and: ae n d
  any: eh n i | anime: ae n ih m e ih | are: aa r | be: b ii | because: b ih k ah z | been: b ih n
  both: b ax uh th | bot: b aa t | bye: b a ih | come: k ah m | could: k uh d | do: d uu
  does: d ah z | done: d ah n | door: d oh r | every: eh v r i | eye: a ih | four: f oh r
  friend: f r eh n d | from: f r ah m | full: f uh l | give: g ih v | go: g ax uh | good: g uh d
  great: g r e ih t | have: h ae v | he: h ii | hello: h ax l ax uh | here: h ih r | hi: h a ih
  his: h ih z | how: h a uh | i: a ih | into: ih n t uu | is: ih z | it: ih t | know: n ax uh
  life: l a ih f | like: l a ih k | live: l ih v | love: l ah v | many: m eh n i | me: m ii
  more: m oh r | most: m ax uh s t | move: m uu v | music: m j uu z ih k | my: m a ih
  no: n ax uh | nori: n oh r i | now: n a uh | of: ah v | off: oh f | oh: ax uh | old: ax uh l d
  on: aa n | one: w ah n | only: ax uh n l i | open: ax uh p ax n | or: oh r | other: ah dh er
  our: a uh er | over: ax uh v er | people: p ii p ax l | picture: p ih k ch er | please: p l ii z
  pretty: p r ih t i | put: p uh t | ready: r eh d i | said: s eh d | say: s e ih | says: s eh z
  she: sh ii | should: sh uh d | so: s ax uh | some: s ah m | something: s ah m th ih ng
  sorry: s aa r i | the: dh ax | their: dh eh r | them: dh eh m | then: dh eh n | there: dh eh r
  these: dh ii z | they: dh e ih | this: dh ih s | those: dh ax uh z | to: t uu
  today: t ax d e ih | together: t ax g eh dh er | two: t uu | very: v eh r i | want: w aa n t
  was: w ah z | water: w oh t er | we: w ii | were: w er | what: w ah t | where: w eh r
  who: h uu | with: w ih dh | woman: w uh m ax n | word: w er d | work: w er k | world: w er l d
  would: w uh d | you: j uu | your: j oh r | zero: z ih r ax uh | six: s ih k s
  seven: s eh v ax n | eight: e ih t | eleven: ih l eh v ax n | minus: m a ih n ax s
  percent: p er s eh n t
`),
);

export const letterNames: ReadonlyMap<string, string> = new Map(
  entriesOf(`
  a: e ih | b: b ii | c: s ii | d: d ii | e: ii | f: eh f | g: jh ii | h: e ih ch | i: a ih
  j: jh e ih | k: k e ih | l: eh l | m: eh m | n: eh n | o: ax uh | p: p ii | q: k j uu | r: aa r
  s: eh s | t: t ii | u: j uu | v: v ii | w: d ah b ax l j uu | x: eh k s | y: w a ih | z: z ii
`),
);
