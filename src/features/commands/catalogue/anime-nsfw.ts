/** Anime commands for adults. They work only in groups whose owner has allowed them. */
import { type Entry } from './entry.ts';

export const animeNsfw: readonly Entry[] = [
  {
    id: 'nsfwmode',
    title: 'Adult content mode',
    description:
      'Allows the commands of this section in a group or in one topic. Off by default; only the owner can change it.',
    usage: '/nsfwmode on in the topic that is meant for it\n/nsfwmode off',
  },
  {
    id: 'nsfw',
    title: 'Adult anime picture',
    description: 'Sends an adult picture of a character you name, behind a spoiler.',
    usage: '/nsfw followed by a character’s name',
  },
  {
    id: 'kemono',
    title: 'Kemono',
    description: 'Searches adult artwork published on the Kemono archive by character.',
    usage: '/kemono followed by a character’s name',
  },
  {
    id: 'hanime',
    title: 'Adult series',
    description: 'Lists adult series page by page: title, cover and year.',
    usage: '/hanime 1\n/hanime 2 for the next page',
  },
  {
    id: 'nsfwtags',
    title: 'Hidden tags',
    description: 'Leaves out whatever you never want to see from all commands of this section.',
    usage: '/nsfwtags hide gore\n/nsfwtags show gore\n/nsfwtags',
  },
  {
    id: 'nsfwsource',
    title: 'Adult artwork source',
    description: 'Finds the artist and the original page of an adult picture.',
    usage: '/nsfwsource as a reply to a picture',
  },
  {
    id: 'nsfwclean',
    title: 'Clean adult content',
    description: 'Removes what the commands of this section have sent, after a time you choose.',
    usage: '/nsfwclean 10m\n/nsfwclean off',
  },
];
