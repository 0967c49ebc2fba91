/** The one primary action of a form; left out of sight where the container's own button stands for it. */
import { Button } from '#ui/button';

type SubmitButtonProps = {
  readonly text: string;
  readonly busyText: string;
  readonly isBusy: boolean;
  /** The container shows the action on its own button. */
  readonly isElsewhere: boolean;
};

export function SubmitButton({ text, busyText, isBusy, isElsewhere }: SubmitButtonProps) {
  if (isElsewhere) {
    return (
      // Without any, Enter in a field would do nothing.
      <button type="submit" hidden>
        {text}
      </button>
    );
  }
  return (
    <Button kind="primary" type="submit" isWide isBusy={isBusy}>
      {isBusy ? busyText : text}
    </Button>
  );
}
