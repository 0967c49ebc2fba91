/** Titles and descriptions of the commands for adults; a description has at most 256 characters. */

export const adultTexts = {
  nsfwmode: {
    title: 'Adult content',
    description:
      'Allows what is for adults in this chat or topic; for the owner of the group alone.',
  },
  nsfw: {
    title: 'Picture for adults',
    description: 'Sends an anime picture for adults, covered, and deletes it after a while.',
  },
  hanime: {
    title: 'Films for adults',
    description: 'Lists anime films for adults, covered, and deletes the list after a while.',
  },
} as const;
