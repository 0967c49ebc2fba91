/** Shows the platform's questions where the container has no popup of its own. */
import { usePopups } from '#lib/popup';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';

const kinds = { default: 'primary', cancel: 'quiet', destructive: 'danger' } as const;

export function PopupHost() {
  const question = usePopups((state) => state.questions[0]);
  return (
    question && (
      <Dialog
        key={question.id}
        title={question.title}
        isOpen
        onClose={() => question.answer()}
        actions={question.buttons.map(({ id, text, kind }) => (
          <Button key={id} kind={kinds[kind ?? 'default']} onClick={() => question.answer(id)}>
            {text}
          </Button>
        ))}
      >
        <p>{question.message}</p>
      </Dialog>
    )
  );
}
