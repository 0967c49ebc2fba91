/** The one primary action of a form; left out of sight where the container's own button stands for it. */
import { Button } from './button.tsx';

type SubmitButtonProps = {
  readonly text: string;
  /** Said in its place meanwhile, unless the form says it elsewhere. */
  readonly busyText?: string;
  readonly isBusy: boolean;
  /** The container shows the action on its own button. */
  readonly isElsewhere: boolean;
  readonly isWide?: boolean;
};

export function SubmitButton({
  text,
  busyText = text,
  isBusy,
  isElsewhere,
  isWide = true,
}: SubmitButtonProps) {
  if (isElsewhere) {
    return (
      // Without any, Enter in a field would do nothing.
      <button type="submit" hidden>
        {text}
      </button>
    );
  }
  return (
    <Button kind="primary" type="submit" isWide={isWide} isBusy={isBusy}>
      {isBusy ? busyText : text}
    </Button>
  );
}
