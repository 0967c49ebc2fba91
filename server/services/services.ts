/** Puts the services together, once per server. */
import { type Dependencies } from '#server/lib/dependencies';
import { createLimiter, type Limiter } from '#server/lib/limits';
import { connectAniList } from '#server/upstream/anilist';
import { connectEngines, connectModels, type Engines } from '#server/upstream/engines';
import { connectSpotify } from '#server/upstream/spotify';

import { type Accounts, createAccounts } from './accounts.ts';
import { type BotNews, createBotNews } from './bot-news.ts';
import { createChatAccess } from './chat-access.ts';
import { type ChatChanges, createChatChanges } from './chat-changes.ts';
import { type ChatEvents, createChatEvents } from './chat-events.ts';
import { type ChatHealthService, createChatHealth } from './chat-health.ts';
import { type ChatPicks, createChatPicks } from './chat-picks.ts';
import { type ChatStreams, createChatStreams } from './chat-streams.ts';
import { createChatUpgrades } from './chat-upgrades.ts';
import { type ChatVerification, createChatVerification } from './chat-verification.ts';
import { type Chats, createChats } from './chats.ts';
import { type Connections, createConnections } from './connections.ts';
import { createCovers, type Covers } from './covers.ts';
import { type DueDeletions } from './due-deletions.ts';
import { createDeleting } from './enforcement/create-deleting.ts';
import { type DeletionCounts } from './enforcement/deletion-counts.ts';
import { type Enforcement } from './enforcement/enforcement.ts';
import { createEnhancement, type Enhancement } from './enhancement.ts';
import { createGenerationJobs, type GenerationJobs } from './generation-jobs.ts';
import { createGenerations, type Generations } from './generations.ts';
import { createHubPictures, type HubPictureService } from './hub-pictures.ts';
import { createJobPictures } from './job-pictures.ts';
import { createKeptMakings } from './kept-makings.ts';
import { createKusa, type Kusa } from './kusa.ts';
import { createMediaFiles, type MediaFiles } from './media-files.ts';
import { createMediaLinks, type MediaLinks } from './media-links.ts';
import { createMessages, type Messages } from './messages.ts';
import { createModels, type Models } from './models.ts';
import { createNowPlaying, type NowPlayingService } from './now-playing.ts';
import { createOneTimePasswords, type OneTimePasswords } from './one-time-passwords.ts';
import { createPaintings } from './paintings.ts';
import { createPictureDownloads, type PictureDownloads } from './picture-downloads.ts';
import { createPictures, type Pictures } from './pictures.ts';
import { createPublicApi, type PublicApi } from './public-api/public-api.ts';
import { createRegistrations, type Registrations } from './registrations.ts';
import { createServiceTokens } from './service-tokens.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createUsage, type Usage } from './usage.ts';
import { createVideos, type Videos } from './videos.ts';

/** What routes and other services work with. */
export type Services = {
  readonly deps: Dependencies;
  readonly limiter: Limiter;
  readonly messages: Messages;
  readonly oneTimePasswords: OneTimePasswords;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly registrations: Registrations;
  readonly chats: Chats;
  readonly chatEvents: ChatEvents;
  readonly chatChanges: ChatChanges;
  readonly chatHealth: ChatHealthService;
  readonly chatPicks: ChatPicks;
  readonly chatStreams: ChatStreams;
  readonly chatVerification: ChatVerification;
  readonly botNews: BotNews;
  readonly dueDeletions: DueDeletions;
  readonly deletionCounts: DeletionCounts;
  readonly enforcement: Enforcement;
  readonly connections: Connections;
  readonly nowPlaying: NowPlayingService;
  readonly videos: Videos;
  readonly usage: Usage;
  readonly engines: Engines;
  readonly generationJobs: GenerationJobs;
  readonly mediaLinks: MediaLinks;
  readonly pictures: Pictures;
  /** What signed links lead to. */
  readonly mediaFiles: MediaFiles;
  readonly pictureDownloads: PictureDownloads;
  readonly generations: Generations;
  readonly hubPictures: HubPictureService;
  readonly kusa: Kusa;
  readonly models: Models;
  readonly covers: Covers;
  readonly enhancement: Enhancement;
  readonly publicApi: PublicApi;
};

export function createServices(deps: Dependencies): Services {
  const limiter = createLimiter(deps.database, deps.clock, deps.env.addressLimitFactor);
  const messages = createMessages(deps);
  const oneTimePasswords = createOneTimePasswords(deps, limiter);
  const sessions = createSessions(deps);
  const usage = createUsage(deps);
  const engines = { ...connectEngines(deps.env), ...deps.engines };
  const jobPictures = createJobPictures(deps.objects);
  const mediaLinks = createMediaLinks(deps);
  const pictures = createPictures(deps, { store: deps.objects, links: mediaLinks });
  const mediaFiles = createMediaFiles({ pictures, jobPictures, links: mediaLinks });
  const generations = createGenerations(deps, { limiter, pictures });
  const kept = createKeptMakings(deps, { generations });
  const generationJobs = createGenerationJobs(deps, {
    limiter,
    usage,
    pictures: jobPictures,
    kept,
    engines,
  });
  const chatEvents = createChatEvents();
  const upgrades = createChatUpgrades(deps, chatEvents);
  const access = createChatAccess(deps, upgrades);
  const paintings = createPaintings(deps.objects);
  const timeoutMs = deps.serviceTimeoutMs;
  const spotify = deps.env.spotify && connectSpotify({ ...deps.env.spotify, timeoutMs });
  const anilist = deps.env.anilist && connectAniList({ ...deps.env.anilist, timeoutMs });
  const services = { spotify, anilist };
  const tokens = createServiceTokens(deps, services);
  return {
    deps,
    limiter,
    messages,
    oneTimePasswords,
    sessions,
    connections: createConnections(deps, { limiter, services, tokens }),
    nowPlaying: createNowPlaying(deps, { tokens, spotify }),
    videos: createVideos(deps),
    accounts: createAccounts(deps, { limiter, sessions }),
    chats: createChats(deps, { access, events: chatEvents }),
    chatEvents,
    chatPicks: createChatPicks(deps, { limiter }),
    chatStreams: createChatStreams(deps, { access, events: chatEvents, sessions }),
    chatHealth: createChatHealth(deps, { access, events: chatEvents, upgrades }),
    chatChanges: createChatChanges(deps, { access, events: chatEvents, limiter }),
    botNews: createBotNews(deps, { events: chatEvents, upgrades, messages, limiter }),
    ...createDeleting(deps, { events: chatEvents, upgrades }),
    usage,
    engines,
    generationJobs,
    mediaLinks,
    pictures,
    mediaFiles,
    pictureDownloads: createPictureDownloads(deps, { mediaFiles }),
    generations,
    hubPictures: createHubPictures({
      jobs: generationJobs,
      generations,
      pictures,
      links: mediaLinks,
    }),
    kusa: createKusa(deps, { paintings }),
    models: createModels(deps, connectModels(deps.env)),
    covers: createCovers(paintings),
    enhancement: createEnhancement(deps, limiter),
    publicApi: createPublicApi(deps),
    chatVerification: createChatVerification(deps, {
      limiter,
      messages,
      oneTimePasswords,
      events: chatEvents,
      upgrades,
    }),
    registrations: createRegistrations(deps, { limiter, messages, oneTimePasswords }),
  };
}
