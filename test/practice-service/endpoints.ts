/** The seven endpoints, under the very words of the interface's table. */
export const ENDPOINTS = [
  'POST /authorize',
  'POST /cases',
  'GET /cases',
  'GET /cases/{id}',
  'GET /cases/report/{id}',
  'GET /centers',
  'POST /change-center',
] as const
export type Endpoint = (typeof ENDPOINTS)[number]

/** The endpoint that a method and a path (below the base address, without its query) mean, or null. */
export function endpointOf(method: string, path: string): Endpoint | null {
  const template = path
    .replace(/^\/cases\/report\/[^/]+$/, '/cases/report/{id}')
    .replace(/^\/cases\/(?!report\/)[^/]+$/, '/cases/{id}')
  return ENDPOINTS.find((endpoint) => endpoint === `${method} ${template}`) ?? null
}
