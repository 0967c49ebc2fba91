/** What the hub does beside being shown: takes up the records, and finishes what earlier pages began. */
import { useEffect } from 'react';

import { onSessionChange } from '#lib/session';

import { finishDeletions, hurryDeletions } from './deletion.ts';
import { resumeGenerations } from './generations.ts';
import { removeOrphans } from './pictures.ts';
import { type ProviderKit } from './provider-kit.ts';
import { followRecords, loadRecords } from './records-store.ts';
import { type GenerationRecord } from './records.ts';

/** Called once by the hub, with the same function each time: what knows a record's provider. */
export function useImageWork(kitOf: (record: GenerationRecord) => ProviderKit | undefined): void {
  useEffect(() => {
    loadRecords();
    resumeGenerations(kitOf);
    finishDeletions(kitOf);
    void removeOrphans();
    const stopFollowing = followRecords();
    // Logging out takes the records from the device; they must not stay to be seen either.
    const stopListening = onSessionChange((now, before) => {
      if (before.status === 'member' && now.status !== 'member') {
        loadRecords();
      }
      if (now.status === 'member') {
        finishDeletions(kitOf);
      }
    });
    window.addEventListener('pagehide', hurryDeletions);
    return () => {
      stopFollowing();
      stopListening();
      window.removeEventListener('pagehide', hurryDeletions);
    };
  }, [kitOf]);
}
