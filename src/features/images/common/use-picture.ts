/** A picture for an `<img>`: the device's own copy, else the server's. */
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
  const [local, setLocal] = useState<{ readonly key: string; readonly picture: Picture }>();
  const key = `${id}/${variant}/${status}`;

  useEffect(() => {
    let isShown = true;
    let url: string | undefined;
    const show = async () => {
      const file = await readPicture(id, variant);
      if (isShown) {
        url = file && URL.createObjectURL(file);
        setLocal({ key, picture: url === undefined ? missing : { state: 'ready', url } });
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

  const own = local?.key === key ? local.picture : loading;
  return own.state === 'missing' && remote !== undefined ? { state: 'ready', url: remote } : own;
}
