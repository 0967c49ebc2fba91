/** Messages of each kind; see sample-messages.ts, which the bench of the bot uses, too. */
export { hidingPlaces, otherForms, samples } from './sample-messages.ts';
