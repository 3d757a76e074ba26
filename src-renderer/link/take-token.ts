const KEY = 'fundus-courier.token'

type Address = { readonly hash: string; readonly pathname: string; readonly search: string }
type TokenStorage = Pick<Storage, 'getItem' | 'setItem'>
type BrowserHistory = Pick<History, 'replaceState'>

/**
 * The token that the station put into the address it printed, as `#token=…`. It is kept for this tab only and
 * taken out of the address at once, so that it is neither bookmarked nor read from the screen.
 */
export function readToken(address: Address, storage: TokenStorage, history: BrowserHistory): string | null {
  const match = /^#(?:\/?)token=([^&]+)/.exec(address.hash)
  if (!match?.[1]) return storage.getItem(KEY)
  const token = decodeURIComponent(match[1])
  storage.setItem(KEY, token)
  history.replaceState(null, '', address.pathname + address.search)
  return token
}
