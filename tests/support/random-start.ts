/**
 * Where the random stories of the tests begin: the same in every run, so that a change that breaks
 * nothing fails nowhere. `NORI_RANDOM=$RANDOM npm run test:unit` looks where no run has looked before.
 */
export const randomStart = Number(process.env['NORI_RANDOM'] ?? 1);
