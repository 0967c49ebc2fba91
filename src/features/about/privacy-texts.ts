/** The texts of the privacy policy. They describe what the server in `server/` does. */
import { brand } from '#lib/brand';

const { name } = brand;

export const privacyTexts = {
  heading: 'Privacy Policy',
  updated: 'Last updated: May 2025',
  lead: `${name} keeps as little about you as it can, and this page says what that is.`,

  /** In the order of the page, as are their paragraphs. */
  sections: {
    visitors: {
      heading: 'Without an account',
      paragraphs: {
        nothing:
          'No data is collected without login on these pages. You can read every public page without telling us who you are: there is no advertising, there are no analytics, and the only cookie holds the language that you choose. What the bot keeps of people in groups, with or without an account, is described further down.',
        limits:
          'To keep one visitor from overloading the server, it counts calls by network address. A count is forgotten within two days.',
        pictures:
          'A visitor’s picture is not tied to a person. The server forgets what was asked for within two days, and the picture within three.',
        device:
          'What you choose here, such as the dark theme, stays on your own device. Only the language is told to the server, too, by a cookie that is named “language” and set when you choose one. It lasts a year.',
      },
    },
    account: {
      heading: 'Your Telegram user ID',
      paragraphs: {
        id: 'Your Telegram user ID is used to create your account and to store the history of the images you generate. It is not shared with third parties.',
        makers:
          'The service that makes a picture for you is told what it should show, and nothing about you.',
        sources:
          'A picture that you send so that others are made from it is in no history. It is kept for a day with your Telegram user ID, and the service that makes the others is given it.',
        deletedPictures:
          'A picture that you delete is shown to no one any more, and is removed from the server within half an hour.',
        details:
          'With your ID are kept the email address you signed up with and your password, the latter only as a hash that cannot be turned back. When you open the app inside Telegram, so are your first name, username and picture as Telegram gives them.',
        language:
          'With your account are kept the language that you choose and that of your Telegram app, which Telegram names when you open the app there or write where the bot is. The bot writes to you in it. Both are deleted with your account.',
        places:
          'For each place where you are logged in, the kind of device, the first part of the network address and the time of its last use are kept, so that you can see and end it. A session ends by itself after 30 days, or after 7 days without use.',
        events:
          'What happens to your account, such as logins, wrong passwords, new passwords, passkeys, links and exports, is kept for 90 days, with the kind of device and the first part of the network address. It is shown to you alone. Of some of it, such as a login on a new device, the bot tells you, in at most 5 messages a day.',
        passkeys:
          'Of a passkey, its public key, the name that you give it and the times when it was added and used last are kept until you remove it. Your fingerprint or your face never leaves your device.',
        device:
          'Where you have logged in, your device keeps a mark that says so, also after you log out. It opens nothing: by it, wrong passwords that strangers try for your ID do not keep you from logging in there.',
        links:
          'When you link your account at Spotify or AniList, the keys that the service gives for it are kept, encrypted, and of AniList your name there. The services are not told your Telegram user ID. Spotify is asked what you are listening to only while you have that page open or when you ask the bot for it, which then shows it in that chat. AniList is asked what you watch only when you ask the bot for it, and is told what you note. The answers are not stored.',
        unlinking:
          'Unlinking deletes the keys at once; the service lists the app among those you allow until you remove it there. A link that you began and did not finish is forgotten within half an hour.',
        exports:
          'On the account page you can have a file made with all that is stored about you. The server keeps it for 24 hours, and so long does the link to it work for anyone who has it. If you want, the bot sends it to your chat, and Telegram keeps it there.',
      },
    },
    chats: {
      heading: 'Your chats',
      paragraphs: {
        chat: 'When the bot is added to a chat, the Telegram chat ID is stored and tied to your account. With it go the chat’s name, the names of its topics, and the Telegram user ID of the person who added the bot or picked the chat, with the time, so that they can verify it.',
        changes:
          'With it go what you have blocked in each topic, and who changed what and when, with their Telegram user ID, for 90 days. Those who manage the chat can read that.',
        language:
          'With it stays the language that the bot writes there: at first that of the person who added the bot, then what those who manage the chat choose.',
        messages:
          'To delete what is blocked and to answer commands, the bot looks at each message when it arrives or is edited. It is stored until the bot has done so, usually for less than a second and for two days at most; after that nothing of what it says is, except for the reason in a command. The numbers of the update and of the chat stay for about a day; for two days, so that administrators can delete many messages at once, also which message is in which topic, who sent it and when. When Telegram cannot delete one at once, the numbers of the message and of who wrote it are kept until it can, for two days at most. A command of an anonymous administrator waits for up to a minute for them to press a button. How many were deleted for each setting is counted by the hour and forgotten after eight days.',
        people:
          'So that administrators can name people in commands, the bot keeps the Telegram user ID, the name and the username of those who write in its groups, are mentioned or answered there, join, leave or press its buttons. These are deleted 90 days after it has seen the person last, or at once when the person presses “Forget me”, which the bot shows after /privacy in a private chat. No account is needed for that. When it sees the person again, it learns them again.',
        kept: 'What you ask the bot to keep, it keeps with your Telegram user ID: reminders with their text until you were reminded, or for three days more while the bot cannot write to you; that you are away, and why, until you write in a group, for 30 days at most; whispers, encrypted, for 7 days; the names of the sticker packs that it has made for you; and that you have said you are 18 or older. “Forget me” deletes all of that, too; the packs themselves stay at Telegram.',
        painted:
          'A picture that you have the bot paint is kept, with its prompt, as if you had made it in Nori; what the bot sends to a chat stays there. For two days the server knows which picture it has sent where for which Telegram user ID, and for a day a prompt that /enhance has made better. That holds without an account, too.',
        recipes:
          'The recipe of a picture that you send to the bot as a file is kept for a day with your Telegram user ID, so that Nori can open with it. “Forget me” deletes it, too.',
        actions:
          'Bans, mutes, warnings, reports and the like are kept for 90 days: whom they are about and who gave them, by Telegram user ID, when, and the reason that was typed. A warning is kept until 90 days after it ends, an approval until it ends. Administrators and those who manage the chat can read that.',
        joining:
          'Of those who join a group, or ask to join it, the bot keeps the Telegram user ID, when they joined, what was asked of them, how many answers were wrong and how it ended, for a day after it ended. Of the right answer a keyed hash is kept until then, of their own answers nothing. Where newcomers are asked something, the numbers of their first messages are kept with it, so that these can be deleted. To find floods, the bot counts in its memory who wrote how many messages and gave how many reactions in the last minutes.',
        contents:
          'Greetings, rules, notes, answers and blocked words are kept as administrators wrote them, with the IDs that Telegram gives to their files. The files themselves stay at Telegram: one that is uploaded on the dashboard is sent to your chat with the bot and deleted there at once. All of it goes a day after no setting and no entry of the history names it any more.',
        counted:
          'How many joined, left, did a task or were turned away, and how many messages were deleted for what and in which topic, is counted by the hour without names and forgotten after 31 days.',
        log: 'If a group has a log channel, the bot posts there what was done, with names and IDs, and neither keeps nor deletes these posts. Reports go there, too, or to the group’s administrators. What the bot has yet to do, such as posting a line or waiting for the buttons of a report, is stored by IDs until it is done, for two days at most.',
        lookups:
          'Some commands ask another service, if the operator of this server has connected it: LibreTranslate or MyMemory is told the text to translate, AniList, Wikipedia and Wiktionary what is looked up, Open-Meteo the place whose weather is asked for, and a server for downloads and voices the link or the text. None of them is told who asks, and neither what is asked nor what is answered is stored; for up to an hour, the same answer is given again from memory.',
        owner: 'Who owns a chat is asked of Telegram and checked again from time to time.',
        device:
          'Your device keeps the settings of the chats that you opened last, to show them at once, until you log out or another user logs in.',
      },
    },
    security: {
      heading: 'Data security',
      paragraphs: {
        hashes:
          'Passwords, sessions and one-time passwords are stored as hashes: not even a person who reads the database can log in with them. A one-time password is good for 5 minutes and 5 tries.',
        logged:
          'Logs name neither passwords nor codes nor tokens, and no Telegram user IDs. Logins and changes of accounts are logged with the first part of the network address, and with a keyed hash in the place of the ID.',
        erasure:
          'You can delete your account on the account page. All that is stored about you is then deleted at once, files included: your pictures, your sessions, your passkeys, your linked accounts, your access to chats, and what the bot has seen of you and was done to you in groups. What is blocked in a chat stays with the chat, as others may look after it, too, and so do changes and what you have done to others, but without your ID and without the reasons that you typed.',
        hashed:
          'Two things stay after that, as keyed hashes that do not say who you were: what limits have counted, for two days at most, and whose consent others have to manage a chat, as long as they do. When the bot sees you again in a group, it learns you again.',
      },
    },
    contact: {
      heading: 'Contact',
      paragraphs: {
        where: 'Questions about your data are answered on Telegram.',
      },
    },
  },

  contact: 'Contact us on Telegram',
  noContact: 'Not linked yet',
  /** For the operator alone. */
  setVariable: (variable: string) => `Set ${variable} to link this`,
} as const;
