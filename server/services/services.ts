/** Puts the services together, once per server. */
import { type Dependencies } from '#server/app/dependencies';
import { createLimiter, type Limiter } from '#server/services/limiter';
import { connectAniList } from '#server/upstream/connections/anilist';
import { connectSpotify } from '#server/upstream/connections/spotify';
import { connectEngines, connectModels, type Engines } from '#server/upstream/images/engines';
import {
  type Accounts,
  createAccounts,
  createOneTimePasswords,
  type OneTimePasswords,
  createRegistrations,
  type Registrations,
  createSessions,
  type Sessions,
} from '#services/accounts';
import {
  type BotNews,
  createBotNews,
  createChatAccess,
  type ChatChanges,
  createChatChanges,
  type ChatEvents,
  createChatEvents,
  type ChatHealthService,
  createChatHealth,
  type ChatPicks,
  createChatPicks,
  type ChatStreams,
  createChatStreams,
  createChatUpgrades,
  type ChatVerification,
  createChatVerification,
  type Chats,
  createChats,
} from '#services/chats';
import {
  type Connections,
  createConnections,
  createNowPlaying,
  type NowPlayingService,
  createServiceTokens,
} from '#services/connections';
import {
  createCovers,
  type Covers,
  createEnhancement,
  type Enhancement,
  createGenerationJobs,
  type GenerationJobs,
  createGenerations,
  type Generations,
  createHubPictures,
  type HubPictureService,
  createJobPictures,
  createKeptMakings,
  createKusa,
  type Kusa,
  createMediaFiles,
  type MediaFiles,
  createMediaLinks,
  type MediaLinks,
  createModels,
  type Models,
  createPaintings,
  createPictureDownloads,
  type PictureDownloads,
  createPictures,
  type Pictures,
} from '#services/images';
import {
  type DueDeletions,
  createDeleting,
  type DeletionCounts,
  type Enforcement,
} from '#services/moderation';
import { createPublicApi, type PublicApi } from '#services/public-api';

import { createMessages, type Messages } from './messages.ts';
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
