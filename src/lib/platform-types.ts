/** What the container can do for us: the one interface that Telegram's and the browser's platforms fulfil. */

export type Haptic = 'selection' | 'light' | 'medium' | 'success' | 'warning' | 'error';

type PopupButton = {
  readonly id: string;
  readonly text: string;
  readonly kind?: 'default' | 'cancel' | 'destructive';
};

export type Popup = {
  readonly title: string;
  /** At most 256 characters: Telegram refuses more. */
  readonly message: string;
  /** One to three; the first is focused where that can be chosen. */
  readonly buttons: readonly PopupButton[];
};

export type MainButton = {
  readonly text: string;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  readonly press: () => void;
};

/** Who opened the app and where to, as the container claims it: for pre-filling, never for access. */
export type Launch = {
  /** The raw, signed launch data, untouched: what the server checks. */
  readonly initData?: string;
  readonly telegramId?: string;
  readonly firstName?: string;
  readonly photoUrl?: string;
  readonly startParam?: string;
};

/** How a person's choice among their groups ended; `declined`: they closed the list. */
export type PickedChat = 'sent' | 'declined' | 'failed';

export type Platform = {
  readonly container: 'telegram' | 'web';
  readonly launch: Launch;
  /** The container has a main button of its own; screens then leave theirs out. */
  readonly hasMainButton: boolean;
  /** `download` takes `blob:` addresses; Telegram's takes only HTTPS links. */
  readonly savesBlobs: boolean;
  /** The device is weak: no blur, no floating (Telegram on Android tells). */
  readonly isLowPower: boolean;
  /** Hides the container's loader. Called once, when the first screen is painted. */
  ready(): void;
  haptic(kind: Haptic): void;
  /** Shows the native back button, if there is one, until the returned function is called. */
  showBack(press: () => void): () => void;
  /** Shows the settings entry of the container's own menu until the returned function is called. Absent where there is none. */
  readonly showSettings?: (press: () => void) => () => void;
  /** Shows the main button until the next call; `undefined` hides it. */
  setMainButton(button: MainButton | undefined): void;
  /** The main button is out of reach, like all the page, while a dialog covers it. */
  coverMainButton(isCovered: boolean): void;
  /** Asks; resolves to the pressed button's id, or undefined when it was dismissed. */
  popup(popup: Popup): Promise<string | undefined>;
  /** Asks before the app is closed, while work would be lost. */
  confirmClosing(isOn: boolean): void;
  /** Vertical swipes belong to the page, and do not close the app, until the returned function is called. */
  holdVerticalSwipes(): () => void;
  /**
   * Opens the container's own list of groups, as the bot has prepared it under this id, and shares
   * the chosen one with the bot. Absent where the container has none.
   */
  readonly pickChat?: (requestId: string) => Promise<PickedChat>;
  /** Opens a page outside the app. Only http(s); anything else is ignored. */
  readonly openLink: (url: string) => void;
  /** Opens a t.me link in Telegram. */
  readonly openTelegramLink: (url: string) => void;
  /** Whether the text really reached the clipboard. */
  copy(text: string): Promise<boolean>;
  /** Saves a file; resolves to false when the person or the container refused. */
  download(file: { url: string; name: string }): Promise<boolean>;
  /** Paints the frame around the page (header, background, bottom bar), `#rrggbb`. */
  paintFrame(color: string): void;
  /** The container's own palette; undefined on the web. Keys as in Telegram's `theme_params`. */
  palette(): Readonly<Record<string, string>> | undefined;
  onPaletteChange(listener: () => void): () => void;
};
