/** The interface of a platform, implemented for Telegram and for the browser. */

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
  /** One to three. The first gets the focus where possible. */
  readonly buttons: readonly PopupButton[];
};

export type MainButton = {
  readonly text: string;
  readonly isEnabled: boolean;
  readonly isBusy: boolean;
  readonly press: () => void;
};

/** Who opened the app, and its start parameter. Not verified: for pre-filling, never for access. */
export type Launch = {
  /** The raw, signed launch data, which the server checks. */
  readonly initData?: string | undefined;
  readonly telegramId?: string | undefined;
  readonly firstName?: string | undefined;
  readonly photoUrl?: string | undefined;
  readonly startParam?: string | undefined;
};

/** How the choice of a group ended; `declined`: the user closed the list. */
export type PickedChat = 'sent' | 'declined' | 'failed';

/** How sharing ended; `declined`: the user closed the list of chats, or the container does not say. */
export type Shared = 'sent' | 'declined' | 'expired' | 'unsupported' | 'failed';

export type Platform = {
  readonly container: 'telegram' | 'web';
  readonly launch: Launch;
  /** The container has a main button. Screens then leave out their own. */
  readonly hasMainButton: boolean;
  /** `download` accepts `blob:` addresses. Telegram's accepts only HTTPS. */
  readonly savesBlobs: boolean;
  /** The device is slow, as Telegram for Android reports: no blur, no floating animations. */
  readonly isLowPower: boolean;
  /** Hides the container's loader. Called once, after the first paint. */
  ready(): void;
  haptic(kind: Haptic): void;
  /** Shows the native back button, if any, until the returned function is called. */
  showBack(press: () => void): () => void;
  /** Shows the settings entry of the container's menu until the returned function is called. Absent without one. */
  readonly showSettings?: (press: () => void) => () => void;
  /** Shows the main button until the next call; `undefined` hides it. */
  setMainButton(button: MainButton | undefined): void;
  /** Hides the main button while a dialog covers the page. */
  coverMainButton(isCovered: boolean): void;
  /** Resolves to the id of the pressed button, or undefined when dismissed. */
  popup(popup: Popup): Promise<string | undefined>;
  /** Whether to ask before the app is closed. */
  confirmClosing(isOn: boolean): void;
  /** Vertical swipes do not close the app until the returned function is called. */
  holdVerticalSwipes(): () => void;
  /**
   * Opens the container's list of groups that the bot has prepared under this id, and shares the
   * chosen one with the bot. Absent where the container has none.
   */
  readonly pickChat?: (requestId: string) => Promise<PickedChat>;
  /** Asks the user whether the bot may write to them. Absent where the container cannot ask. */
  readonly requestWriteAccess?: () => Promise<boolean>;
  /** Opens the container's list of chats, for a message that the bot has prepared under this id. Absent without one. */
  readonly shareMessage?: (id: string) => Promise<Shared>;
  /** Opens the container's editor of stories with a picture. Absent without one. */
  readonly shareStory?: (url: string) => void;
  /** Opens a page outside of the app. Ignores addresses that are not http(s). */
  readonly openLink: (url: string) => void;
  /** Opens a t.me link in Telegram. */
  readonly openTelegramLink: (url: string) => void;
  /** Resolves to whether the text is in the clipboard. */
  copy(text: string): Promise<boolean>;
  /** Saves a file. Resolves to false when the user or the container refused. */
  download(file: { url: string; name: string }): Promise<boolean>;
  /** Paints header, background and bottom bar of the container, `#rrggbb`. */
  paintFrame(color: string): void;
  /** The container's palette; undefined on the web. Keys as in Telegram's `theme_params`. */
  palette(): Readonly<Record<string, string>> | undefined;
  onPaletteChange(listener: () => void): () => void;
};
