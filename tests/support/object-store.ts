/** An S3 service for tests: the one in `TEST_S3_ENDPOINT`, else a Swift of this machine's own. */
import { startSwift } from '#scripts/swift.mjs';

export type TestBucket = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly close: () => Promise<void>;
};

/** Undefined, with a line that says how to get one, when there is none to be had. */
export async function startBucket(): Promise<TestBucket | undefined> {
  const endpoint = process.env['TEST_S3_ENDPOINT'];
  if (endpoint !== undefined && endpoint !== '') {
    return {
      endpoint,
      bucket: process.env['TEST_S3_BUCKET'] ?? 'nori-tests',
      region: process.env['TEST_S3_REGION'] ?? 'us-east-1',
      accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'] ?? '',
      close: async () => undefined,
    };
  }
  const swift = await startSwift();
  return swift && { ...swift, close: swift.stop };
}

/** The variables of a server that stores its pictures there. With `through`, by the address of a proxy. */
export const bucketVariables = (bucket: TestBucket, through = bucket.endpoint) => ({
  S3_ENDPOINT: through,
  S3_BUCKET: bucket.bucket,
  S3_REGION: bucket.region,
  S3_ACCESS_KEY_ID: bucket.accessKeyId,
  S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
});
