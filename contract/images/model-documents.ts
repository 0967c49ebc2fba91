/** The GraphQL queries for models, for our server and for the model service. */

const page = `edges { cursor node {
  id title type category extra createdAt updatedAt isNsfw isDownloadable isPrivate likedCount liked refCount commentCount
  media { urls { variant url } width height } tags { name }
  latestAvailableVersion { id name status downloadUrl extra }
} } pageInfo { hasNextPage endCursor }`;

export const modelDocuments = {
  list: `query listGenerationModels($first: Int, $after: String, $feed: String, $orderBy: String) {
  generationModels(first: $first, after: $after, feed: $feed, orderBy: $orderBy) { ${page} }
}`,
  search: `query searchGenerationModels($first: Int, $after: String, $keyword: String, $feed: String) {
  generationModels(first: $first, after: $after, keyword: $keyword, feed: $feed) { ${page} }
}`,
} as const;
