/** The migrations in their order. A step that was released is never changed: add the next one. */
import { type Migration } from 'kysely';

import { createTables } from './0001-create-tables.ts';
import { countUsage } from './0002-count-usage.ts';
import { createGenerationJobs } from './0003-generation-jobs.ts';
import { keepPictures } from './0004-keep-pictures.ts';
import { connectServices } from './0005-connect-services.ts';
import { severalPictures } from './0006-several-pictures.ts';
import { watchChats } from './0007-watch-chats.ts';
import { forgetWhoSet } from './0008-forget-who-set.ts';
import { noteArrivals } from './0009-note-arrivals.ts';

export const migrations: Record<string, Migration> = {
  '0001-create-tables': createTables,
  '0002-count-usage': countUsage,
  '0003-generation-jobs': createGenerationJobs,
  '0004-keep-pictures': keepPictures,
  '0005-connect-services': connectServices,
  '0006-several-pictures': severalPictures,
  '0007-watch-chats': watchChats,
  '0008-forget-who-set': forgetWhoSet,
  '0009-note-arrivals': noteArrivals,
};
