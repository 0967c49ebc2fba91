/** The app: providers and router. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { BrowserRouter } from 'react-router-dom';

import { prefix } from '#lib/paths';
import { Root } from '#ui/root';

import { Shell } from './shell/shell.tsx';

type AppProps = { readonly queryClient: QueryClient };

export function App({ queryClient }: AppProps) {
  return (
    <Frame queryClient={queryClient}>
      <BrowserRouter basename={prefix}>
        <Shell />
      </BrowserRouter>
    </Frame>
  );
}

/** The providers of every page, without a router. */
export function Frame({ queryClient, children }: AppProps & { readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Root>{children}</Root>
    </QueryClientProvider>
  );
}
