/** The request of an endpoint: the form with parameters, examples, URL and button, and the request as code. */
import { type Ref, useRef, useState } from 'react';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { useFloatingBar } from '#lib/floating-bar';
import { joinList } from '#lib/format';
import { getPlatform } from '#lib/platform';
import { Button, SubmitButton } from '#ui/button';
import { CopyButton } from '#ui/copy-button';
import { Disclosure } from '#ui/disclosure';
import { fillSlots } from '#ui/fill-slots';
import { TabPanel, Tabs } from '#ui/tabs';

import { ParameterField } from './parameter-field.tsx';
import { getDefaults, toPath, toUrl, useOrigin } from './request.ts';
import { useDrafts } from './store.ts';
import { texts } from './texts.ts';

import shared from './playground.module.css';
import styles from './request.module.css';

type RequestFormProps = {
  readonly ref: Ref<HTMLFormElement>;
  readonly endpoint: PublicEndpoint;
  readonly values: Values;
  /** Parameter → what is wrong with it. */
  readonly mistakes: Readonly<Record<string, string>>;
  readonly isExecuting: boolean;
  /** Telegram shows the action on its main button. */
  readonly hasMainButton: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  /** Opens the last answer where it is a view of its own; undefined when there is none. */
  readonly onShowAnswer: (() => void) | undefined;
};

export function RequestForm(props: RequestFormProps) {
  const { ref, endpoint, values, mistakes, onSubmit } = props;
  const { parameters, examples } = endpoint;
  const fill = useDrafts((drafts) => drafts.fill);

  /** Values that are not named stay. */
  function change(changed: Values): void {
    // A choice from a list that depends on a changed value is no longer in that list.
    const dependents = parameters.filter(
      ({ optionsFrom: { needs = '' } = {} }) =>
        changed[needs] !== undefined && changed[needs] !== values[needs],
    );
    fill(endpoint, {
      ...values,
      ...Object.fromEntries(dependents.map((parameter) => [parameter.name, ''])),
      ...changed,
    });
  }

  return (
    <form
      ref={ref}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={styles.parts}>
        <div className={styles.formHead}>
          <h3>{texts.parameters}</h3>
          {parameters.some(({ required }) => required) && (
            <p className={shared.hint}>{texts.required}</p>
          )}
          <Button kind="quiet" onClick={() => fill(endpoint, getDefaults(endpoint))}>
            {texts.reset}
          </Button>
        </div>
        {parameters.length === 0 && <p className={shared.hint}>{texts.noParameters}</p>}
        <div className={styles.fields}>
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              values={values}
              mistake={mistakes[parameter.name]}
              onChange={(value) => change({ [parameter.name]: value })}
            />
          ))}
        </div>
        {examples.length > 0 && (
          <ExampleList examples={examples} onLoad={(example) => change(example.parameters)} />
        )}
        <RequestUrl path={toPath(endpoint, values)} />
        <SnippetPanel endpoint={endpoint} values={values} />
      </div>
      <Actions {...props} />
    </form>
  );
}

type ActionsProps = Pick<
  RequestFormProps,
  'isExecuting' | 'hasMainButton' | 'onCancel' | 'onShowAnswer'
>;

/** The bar at the lower edge of the form. It is the last part of the form, as it is the last in view. */
function Actions({ isExecuting, hasMainButton, onCancel, onShowAnswer }: ActionsProps) {
  const bar = useRef<HTMLDivElement>(null);
  const isOnlyAnswer = hasMainButton && !isExecuting;
  const isShown = !isOnlyAnswer || onShowAnswer !== undefined;
  useFloatingBar(bar, isShown);

  return (
    <div
      ref={bar}
      className={isShown ? styles.actions : undefined}
      data-only-answer={isOnlyAnswer || undefined}
    >
      <SubmitButton
        text={texts.execute}
        busyText={texts.executing}
        isBusy={isExecuting}
        isElsewhere={hasMainButton}
        isWide={false}
      />
      {isExecuting && <Button onClick={onCancel}>{texts.cancel}</Button>}
      {onShowAnswer && (
        <Button className={styles.toResponse} onClick={onShowAnswer}>
          {texts.showAnswer}
        </Button>
      )}
      <p className={styles.shortcuts}>{fillSlots(texts.shortcuts, { slash: <kbd>/</kbd> })}</p>
    </div>
  );
}

type Example = PublicEndpoint['examples'][number];

type ExampleListProps = {
  readonly examples: readonly Example[];
  readonly onLoad: (example: Example) => void;
};

function ExampleList({ examples, onLoad }: ExampleListProps) {
  return (
    <section className={styles.examples}>
      <h3>{texts.examples}</h3>
      <ul>
        {examples.map((example) => (
          <li key={example.name} className={styles.example}>
            <div className={styles.exampleText}>
              <strong>{example.name}</strong>
              <span className={shared.hint}>{example.description}</span>
            </div>
            <Button
              kind="quiet"
              aria-label={texts.loadExample(example.name)}
              onClick={() => onLoad(example)}
            >
              {texts.load}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RequestUrl({ path }: { readonly path: string }) {
  const url = toUrl(path, useOrigin());
  const copyText = useCopyText();
  return (
    <section className={styles.urlBox} aria-label={texts.requestUrl}>
      <h3>{texts.requestUrl}</h3>
      <div className={styles.url}>
        <code>{url}</code>
        <CopyButton label={texts.copyUrl} copy={() => copyText(url)} />
      </div>
    </section>
  );
}

const tabs = [
  { id: 'curl', label: 'curl' },
  { id: 'fetch', label: 'fetch' },
  { id: 'axios', label: 'axios' },
  { id: 'python', label: 'Python' },
] as const;
type Language = (typeof tabs)[number]['id'];

type SnippetPanelProps = { readonly endpoint: PublicEndpoint; readonly values: Values };

/** The request as code. The session token is in none of the snippets. */
function SnippetPanel({ endpoint, values }: SnippetPanelProps) {
  const copyText = useCopyText();
  const [isOpen, setIsOpen] = useState(false);
  const [language, setLanguage] = useState<Language>('curl');
  const code = writers[language](toUrl(toPath(endpoint, values), useOrigin()));

  return (
    <Disclosure
      id="snippets"
      heading={texts.snippets}
      remark={joinList(tabs.map(({ label }) => label))}
      isOpen={isOpen}
      onToggle={() => setIsOpen(!isOpen)}
    >
      <Tabs
        name="snippet"
        label={texts.languagesLabel}
        tabs={tabs}
        selected={language}
        onSelect={(id) => {
          getPlatform().haptic('selection');
          setLanguage(id);
        }}
      />
      <TabPanel name="snippet" selected={language} className={shared.snippet}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A box that scrolls has to be reachable by keyboard. */}
        <pre className={shared.plain} tabIndex={0}>
          {code}
        </pre>
        <CopyButton label={texts.copyCode} copy={() => copyText(code)} />
      </TabPanel>
    </Disclosure>
  );
}

const writers: Readonly<Record<Language, (url: string) => string>> = {
  curl: (url) => `curl ${quoteForShell(url)} \\\n  -H 'Accept: application/json'`,
  fetch: (url) =>
    `const response = await fetch(${quoteForScript(url)}, {
  headers: { Accept: 'application/json' },
});
const data = await response.json();`,
  axios: (url) =>
    `import axios from 'axios';

const { data } = await axios.get(${quoteForScript(url)}, {
  headers: { Accept: 'application/json' },
});`,
  python: (url) =>
    `import requests

response = requests.get(
    ${JSON.stringify(url)},
    headers={"Accept": "application/json"},
    timeout=30,
)
data = response.json()`,
};

function quoteForShell(url: string): string {
  return `'${url.replaceAll("'", String.raw`'\''`)}'`;
}

function quoteForScript(url: string): string {
  return `'${url.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
