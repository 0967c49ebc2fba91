/** A row with a switch. */
import { type ReactNode, useId, useState } from 'react';

import { Cell } from '#ui/section';
import { Switch } from '#ui/switch';

/** How long a switch refuses further presses, as the toggles of message types do. */
const lockMs = 150;

type SwitchCellProps = {
  readonly title: string;
  readonly about?: ReactNode;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export function SwitchCell({ title, about, isOn, isDisabled = false, onChange }: SwitchCellProps) {
  const id = useId();
  const [isLocked, setIsLocked] = useState(false);
  return (
    <Cell
      isLabel
      title={title}
      subtitle={about === undefined ? undefined : <span id={id}>{about}</span>}
      after={
        <Switch
          aria-label={title}
          aria-describedby={about === undefined ? undefined : id}
          checked={isOn}
          disabled={isDisabled}
          isLocked={isLocked}
          onChange={(event) => {
            setIsLocked(true);
            setTimeout(() => setIsLocked(false), lockMs);
            onChange(event.target.checked);
          }}
        />
      }
    />
  );
}
