/** For `npm run dev`: the screens come from Vite's server, under the same `app://` address that the sender check knows. */

type Handler = (request: Request) => Promise<Response>

export function withDevScreens(
  handler: Handler,
  devServer: string,
  fetch: (url: string) => Promise<Response>,
): Handler {
  return (request) => {
    const { pathname, search } = new URL(request.url)
    return pathname.startsWith('/bytes/')
      ? handler(request)
      : fetch(new URL(pathname + search, devServer).href)
  }
}
