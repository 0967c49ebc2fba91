/** The question before a cover for adults is shown. */
import { useAge } from '#lib/age';
import { ageTexts } from '#lib/age-texts';
import { ConfirmDialog } from '#ui/confirm-dialog';

type AgeQuestionProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** Closed once the age is confirmed, wherever on the screen that was. */
export function AgeQuestion({ isOpen, onClose }: AgeQuestionProps) {
  const age = useAge();
  return (
    <ConfirmDialog
      isOpen={isOpen && !age.isConfirmed}
      texts={ageTexts}
      onCancel={onClose}
      onConfirm={() => {
        onClose();
        age.confirm();
      }}
    />
  );
}
