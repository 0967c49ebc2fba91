/** Whether a provider is making pictures, also those that an earlier page has asked for. */
import { type ProviderKit } from './provider-kit.ts';
import { useRecords } from './records-store.ts';

export function useIsMaking({ id }: ProviderKit): boolean {
  return useRecords(id).some(({ status }) => status === 'pending');
}
