/** What users read about a refusal, by its code. */

export const errorTexts = {
  invalid_input: 'Some fields are not valid. Please check them and try again.',
  invalid_json: 'The request body is not valid JSON.',
  unsupported_media_type: 'Please send JSON (Content-Type: application/json).',
  body_too_large: 'The request is too large.',
  not_found: 'There is nothing at this address.',
  unauthenticated: 'Please log in to continue.',
  rate_limited: 'Too many requests. Please try again later.',
  busy: 'The server is busy. Please try again in a moment.',
  unexpected: 'Something went wrong on our side. Please try again.',

  wrong_credentials: 'Wrong Telegram user ID or password.',
  code_required:
    'Many wrong passwords were tried for this ID today. Log in with a code that the bot sends.',
  wrong_password: 'This is not your current password.',
  not_verified: 'This account is not verified yet. Please sign up again to get a new code.',
  account_exists: 'You already have an account. Please log in.',
  weak_password: 'Please choose another password.',
  invalid_code: 'Invalid or expired verification code',
  invalid_launch_data:
    'Telegram could not confirm who you are. Please close the app and open it again.',
  no_account: 'There is no account for this Telegram user yet.',
  session_not_found: 'That device is logged out already.',
  passkey_unknown: 'This passkey is not known here. It may have been removed.',
  passkey_refused: 'This passkey could not be checked. Please try again.',
  too_many_passkeys: 'You have as many passkeys as are possible. Remove one to add another.',

  bot_not_in_chat:
    'The bot is not in this chat. Add it to the chat as an administrator, then try again.',
  bot_cannot_delete:
    'The bot may not delete messages in this chat. Give it the "Delete messages" right, then try again.',
  owner_unreachable:
    'The bot may not message the owner of this chat yet. The owner has to open the bot and press Start.',
  owner_unknown: 'Telegram does not tell who owns this chat, so no code can be sent.',
  not_owner:
    'Telegram says that you are not the owner of this chat. Its owner can agree by a code.',
  launch_too_old:
    'Telegram confirmed too long ago who you are. Close Nori and open it again from Telegram, or use a code.',
  chat_not_verified: 'You do not manage this chat. Verify that you own it to change its settings.',
  chat_not_found: 'This chat is not in your list.',
  bot_not_started:
    'The bot may not show you your groups yet. Open the bot, press Start, and come back.',
  bot_may_not_write: 'The bot may not write to you yet. Open the bot, press Start, and come back.',
  change_not_found: 'This change is no longer in the history of the chat.',
  action_not_found: 'This is no longer in the list of what was done.',
  action_not_undoable: 'This cannot be undone, or was undone already.',
  telegram_refused: 'Telegram does not allow this here.',
  topic_not_found: 'This chat has no such topic.',
  picture_unreadable:
    'This file is not a picture that can be read. PNG, JPEG and WebP are possible.',
  picture_too_large: 'The picture is too large. At most 20 MB are possible.',
  too_many_pictures:
    'You have saved as many pictures as are possible. Delete some to save new ones.',
  storage_quota:
    'Your pictures take up all the space that you have here. Delete some to save new ones.',
  storage_full: 'The server has no room for pictures right now. Please try again later.',
  generation_not_found: 'There is no such picture in your history.',
  link_expired: 'This link has expired. Please load the page again.',
  invalid_cursor: 'This list cannot be continued. Please load it again.',
  model_not_found: 'There is no model with this ID.',
  model_service_failed: 'The model list does not answer right now. Please try again in a moment.',
  service_unavailable: 'The service does not answer right now. Please try again in a moment.',
  service_busy: 'The service is asked too often right now. Please try again in a minute.',
  service_slow: 'The service took too long to answer. Please try again.',
  service_answer_broken: 'The service gave an answer that cannot be used. Please try again later.',
  nothing_found: 'Nothing was found.',
  service_not_set_up: 'This service is not connected on this server.',
  service_key_refused: 'The service refuses this server.',
  service_refused: 'The service refused the sign-in.',
  connection_refused: 'This sign-in has expired. Please start again from Nori.',
  account_not_allowed: 'The service does not let this account use Nori.',
  connection_attempt_unknown:
    'This link has expired or was already used. Please start again from Nori.',
  connection_lost: 'The link to the service is no longer valid. Please link your account again.',
  not_linked: 'This account is not linked yet.',
  video_token_invalid: 'This video link has expired. Please load the video again.',
  video_not_found: 'There is no such video.',
  foreign_person: 'This belongs to another user.',

  telegram_unavailable: 'Telegram does not answer right now. Please try again in a moment.',

  job_not_found: 'This picture was not requested here.',
  job_key_used: 'This key was used for another picture.',
  generation_cancelled: 'This picture was cancelled.',
  generation_interrupted:
    'The server was restarted while your picture was being made. Please try again.',
  generation_slow: 'The picture took too long to make. Please try again.',
  generation_refused:
    'The image service refused to make this picture. Please change the prompt or the settings.',
  invalid_model: 'The image service does not know this model. Please choose another one.',
  ratio_impossible: 'The image service cannot make this shape. Please choose another one.',
  out_of_credit: 'The image service has no credit left. Please tell the operator of this server.',
  picture_broken: 'The image service sent something that is no picture. Please try again.',
  download_refused: 'Pictures from this address cannot be downloaded here.',
  source_gone: 'This picture was sent to the server too long ago. Please choose it again.',
  picture_gone: 'The picture is gone from the image service. Please make it again.',
  image_service_key: 'The image service refuses the key of this server. Please tell its operator.',
  image_service_busy: 'The image service is busy. Please try again in a moment.',
  image_service_unavailable:
    'The image service does not answer right now. Please try again in a moment.',
  enhancement_failed: 'Failed to enhance prompt',
} as const;
