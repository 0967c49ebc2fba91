/** The field of a parameter, by its type. */
import { type ReactNode, useId } from 'react';

import { type Parameter, type Values } from '#contract/playground/public-endpoint';
import { Button } from '#ui/button';
import { Field } from '#ui/field';
import { SelectMenu } from '#ui/select-field';

import { ErrorBox } from './error-box.tsx';
import { texts } from './texts.ts';
import { useOptions } from './use-options.ts';

import shared from './playground.module.css';
import styles from './request.module.css';

type ParameterFieldProps = {
  readonly parameter: Parameter;
  /** Of the whole form: some fields need others. */
  readonly values: Values;
  readonly mistake: string | undefined;
  readonly onChange: (value: string) => void;
};

export function ParameterField(props: ParameterFieldProps) {
  const { parameter, values, mistake, onChange } = props;
  const { name, type, description, placeholder } = parameter;
  const value = values[name] ?? '';

  if (type === 'select') {
    return <Choice {...props} />;
  }
  if (type === 'textarea') {
    return <LongText {...props} />;
  }
  return (
    <Field
      name={name}
      label={labelOf(parameter)}
      hint={description}
      error={mistake}
      value={value}
      placeholder={placeholder}
      type={type === 'url' ? 'url' : 'text'}
      inputMode={type === 'number' ? 'numeric' : type}
      required={parameter.required}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      dir="auto"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function labelOf({ name, required }: Parameter): string {
  return required ? `${name} *` : name;
}

function Choice({ parameter, values, mistake, onChange }: ParameterFieldProps) {
  const { name, required, placeholder, defaultValue, optionsFrom } = parameter;
  const { options, isLoading, failed, retry } = useOptions(parameter, values);
  const value = values[name] ?? '';
  // An example or a link may name one that is not in the list, or not yet.
  const offered = value === '' || options.includes(value) ? options : [value, ...options];

  return (
    <Labelled parameter={parameter} mistake={mistake}>
      {(described) => (
        <>
          <SelectMenu
            {...described}
            name={name}
            value={value}
            required={required}
            onChange={({ target }) => onChange(target.value)}
          >
            {(defaultValue === undefined || optionsFrom) && (
              <option value="">
                {isLoading ? texts.loadingOptions : (placeholder ?? texts.choose)}
              </option>
            )}
            {offered.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </SelectMenu>
          {failed && (
            <ErrorBox
              reason={texts.optionsFailed[failed]}
              action={<Button onClick={retry}>{texts.retry}</Button>}
            />
          )}
        </>
      )}
    </Labelled>
  );
}

function LongText({ parameter, values, mistake, onChange }: ParameterFieldProps) {
  const { name, required, placeholder } = parameter;
  return (
    <Labelled parameter={parameter} mistake={mistake}>
      {(described) => (
        <textarea
          {...described}
          name={name}
          className={styles.area}
          dir="auto"
          rows={3}
          value={values[name] ?? ''}
          placeholder={placeholder}
          required={required}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labelled>
  );
}

type LabelledProps = Pick<ParameterFieldProps, 'parameter' | 'mistake'> & {
  /** Draws the control, with what names and describes it. */
  readonly children: (described: {
    readonly id: string;
    readonly 'aria-invalid': true | undefined;
    readonly 'aria-describedby': string;
  }) => ReactNode;
};

function Labelled({ parameter, mistake, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {labelOf(parameter)}
      </label>
      {children({
        id,
        'aria-invalid': mistake !== undefined || undefined,
        'aria-describedby': mistake === undefined ? `${id}-hint` : `${id}-error ${id}-hint`,
      })}
      {mistake !== undefined && (
        <p id={`${id}-error`} className={styles.mistake} role="alert">
          {mistake}
        </p>
      )}
      <p id={`${id}-hint`} className={shared.hint}>
        {parameter.description}
      </p>
    </div>
  );
}
