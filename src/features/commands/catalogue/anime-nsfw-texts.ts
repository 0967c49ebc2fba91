/** Titles and descriptions of the anime commands for adults. They work only in groups whose owner has allowed them. */

export const animeNsfwTexts = {
  nsfwmode: {
    title: 'Adult content mode',
    description:
      'Allows the commands of this section in a group or in one topic. Off by default; only the owner can change it.',
  },
  nsfw: {
    title: 'Adult anime picture',
    description: 'Sends an adult picture of a character you name, behind a spoiler.',
  },
  kemono: {
    title: 'Kemono',
    description: 'Searches adult artwork published on the Kemono archive by character.',
  },
  hanime: {
    title: 'Adult series',
    description: 'Lists adult series page by page: title, cover and year.',
  },
  nsfwtags: {
    title: 'Hidden tags',
    description: 'Leaves out whatever you never want to see from all commands of this section.',
  },
  nsfwsource: {
    title: 'Adult artwork source',
    description: 'Finds the artist and the original page of an adult picture.',
  },
  nsfwclean: {
    title: 'Clean adult content',
    description: 'Removes what the commands of this section have sent, after a time you choose.',
  },
} as const;
