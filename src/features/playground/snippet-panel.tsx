/** The call as code, in several languages. */
import { useState } from 'react';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { getPlatform } from '#lib/platform';
import { CopyButton } from '#ui/copy-button';
import { Disclosure } from '#ui/disclosure';
import { TabPanel, Tabs } from '#ui/tabs';

import { useOrigin } from './request-form.tsx';
import { requestUrl, sentPath } from './request.ts';
import { type Language, languages, snippetOf } from './snippets.ts';
import { texts } from './texts.ts';

import shared from './playground.module.css';
import styles from './snippet-panel.module.css';

type SnippetPanelProps = { readonly endpoint: PublicEndpoint; readonly values: Values };

const tabs = languages.map((id) => ({ id, label: texts.languages[id] }));

export function SnippetPanel({ endpoint, values }: SnippetPanelProps) {
  const copyText = useCopyText();
  const [isOpen, setIsOpen] = useState(false);
  const [language, setLanguage] = useState<Language>('curl');
  const code = snippetOf(language, requestUrl(sentPath(endpoint, values), useOrigin()));

  return (
    <div className={shared.snippets}>
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
          <pre className={shared.plain} tabIndex={0}>
            {code}
          </pre>
          <CopyButton label={texts.copyCode} copy={() => copyText(code)} />
        </TabPanel>
      </Disclosure>
    </div>
  );
}
