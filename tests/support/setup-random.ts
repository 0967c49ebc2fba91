/** Before the tests of a file: what is drawn at random is the same in every run. */
import { configureGlobal } from 'fast-check';

import { randomStart } from '#tests/random-start';

configureGlobal({ seed: randomStart });
