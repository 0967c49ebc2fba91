/** A picture for an `<img>`: the best of what the device and the server have, as `findPicture` has it. */
import { useEffect, useState } from 'react';

import { readPicture, remoteUrl, type Variant } from './pictures.ts';
import { type GenerationRecord } from './records.ts';

export type Picture =
  | { readonly state: 'loading'; readonly url?: undefined }
  | { readonly state: 'ready'; readonly url: string }
  /** Neither here nor on the server (any more). */
  | { readonly state: 'missing'; readonly url?: undefined };

const loading: Picture = { state: 'loading' };
const missing: Picture = { state: 'missing' };

/** The picture of a finished record; its URL is good as long as the calling part is shown. */
export function usePicture(record: GenerationRecord, variant: Variant): Picture {
  const { id, status } = record;
  const remote = remoteUrl(record, variant);
  const [local, setLocal] = useState<{
    readonly key: string;
    /** Undefined when the device has none. */
    readonly url: string | undefined;
    readonly isStandIn: boolean;
  }>();
  const key = `${id}/${variant}/${status}`;

  useEffect(() => {
    let isShown = true;
    let url: string | undefined;
    const show = async () => {
      const found = await readPicture(id, variant);
      if (isShown) {
        url = found && URL.createObjectURL(found.file);
        setLocal({ key, url, isStandIn: found?.isStandIn === true });
      }
    };
    void show();
    return () => {
      isShown = false;
      if (url !== undefined) {
        URL.revokeObjectURL(url);
      }
    };
  }, [id, variant, key]);

  if (local?.key !== key) {
    return loading;
  }
  const url = local.isStandIn ? (remote ?? local.url) : (local.url ?? remote);
  return url === undefined ? missing : { state: 'ready', url };
}
