/** What an endpoint is: name, method, full path, description, and a link to it with what is in its form. */
import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { useCopyText } from '#lib/copy-text';
import { CopyButton } from '#ui/copy-button';

import { AdultBadge } from './endpoint-list.tsx';
import { MethodBadge } from './method-badge.tsx';
import { linkTo } from './request.ts';
import { texts } from './texts.ts';

import shared from './playground.module.css';
import styles from './request.module.css';

type EndpointHeaderProps = { readonly endpoint: PublicEndpoint; readonly values: Values };

export function EndpointHeader({ endpoint, values }: EndpointHeaderProps) {
  const copyText = useCopyText();
  const { name, method, path, description, category, is18plus } = endpoint;
  return (
    <header className={styles.endpoint}>
      <p className={styles.category}>{category}</p>
      <div className={styles.nameLine}>
        <h2 id="endpoint" tabIndex={-1}>
          {name} {is18plus && <AdultBadge />}
        </h2>
        <CopyButton
          label={texts.copyLink}
          copy={() => copyText(new URL(linkTo(endpoint, values), window.location.origin).href)}
        />
      </div>
      <p className={styles.path}>
        <MethodBadge method={method} />
        <code>{path}</code>
      </p>
      <p className={shared.lead}>{description}</p>
    </header>
  );
}
