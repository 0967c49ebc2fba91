/** A stand-in for a server with films: whole, in parts, and none. */
import { startStandIn } from './stand-in.ts';

/** What every film of it is made of. */
export const filmBytes = Buffer.from(Array.from({ length: 5000 }, (_none, at) => at % 251));

export async function startFilmSource() {
  const standIn = await startStandIn(({ method, path, headers }) => {
    if (!/^\/films\/[\w-]+\.mp4$/.test(path) || path.includes('missing')) {
      return { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<h1>Not Found</h1>' };
    }
    const { status, bytes, contentRange } = partOf(headers.range);
    return {
      status,
      headers: {
        'Content-Type': 'video/mp4',
        'Content-Length': String(bytes.length),
        'Accept-Ranges': 'bytes',
        'X-Secret-Of-The-Source': 'yes',
        ...contentRange,
      },
      body: method === 'HEAD' ? '' : bytes,
    };
  });
  return { ...standIn, variables: { VIDEO_SOURCE: `${standIn.url}/films/{id}.mp4` } };
}

function partOf(range: string | undefined) {
  const size = filmBytes.length;
  if (range === undefined) {
    return { status: 200, bytes: filmBytes, contentRange: {} };
  }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = first === '' ? size - Number(last) : Number(first);
  if (start >= size) {
    const contentRange = { 'Content-Range': `bytes */${size}` };
    return { status: 416, bytes: filmBytes.subarray(0, 0), contentRange };
  }
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return {
    status: 206,
    bytes: filmBytes.subarray(start, end + 1),
    contentRange: { 'Content-Range': `bytes ${start}-${end}/${size}` },
  };
}
