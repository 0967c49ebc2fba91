/** The request as code for the shell, the browser, axios and Python. The session token is in none of them. */
import { useState } from 'react';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { getPlatform } from '#lib/platform';
import { CopyButton } from '#ui/copy-button';
import { Disclosure } from '#ui/disclosure';
import { TabPanel, Tabs } from '#ui/tabs';

import { toPath, toUrl, useOrigin } from './request.ts';
import { texts } from './texts.ts';

import styles from './playground.module.css';

const languages = ['curl', 'fetch', 'axios', 'python'] as const;
type Language = (typeof languages)[number];

const tabs = languages.map((id) => ({ id, label: texts.languages[id] }));

type SnippetPanelProps = { readonly endpoint: PublicEndpoint; readonly values: Values };

export function SnippetPanel({ endpoint, values }: SnippetPanelProps) {
  const copyText = useCopyText();
  const [isOpen, setIsOpen] = useState(false);
  const [language, setLanguage] = useState<Language>('curl');
  const code = writers[language](toUrl(toPath(endpoint, values), useOrigin()));

  return (
    <div className={styles.snippets}>
      <Disclosure
        id="snippets"
        heading={texts.snippets}
        remark={languages.map((id) => texts.languages[id]).join(', ')}
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
        <TabPanel name="snippet" selected={language} className={styles.snippet}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A box that scrolls has to be reachable by keyboard. */}
          <pre className={styles.plain} tabIndex={0}>
            {code}
          </pre>
          <CopyButton label={texts.copyCode} copy={() => copyText(code)} />
        </TabPanel>
      </Disclosure>
    </div>
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
