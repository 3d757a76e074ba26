import type { Proxies } from '../station/ports.ts'

function isExcepted(host: string, exceptions: string): boolean {
  return exceptions
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
    .some(
      (entry) =>
        entry === '*' || host === entry || host.endsWith(entry.startsWith('.') ? entry : `.${entry}`),
    )
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The proxies of the environment, as command-line programs understand it: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. */
export function environmentProxies(environment: NodeJS.ProcessEnv): Proxies {
  const read = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name]
  return {
    proxyFor: (url) => {
      const { protocol, hostname } = new URL(url)
      const proxy = protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY')
      const isDirect =
        LOOPBACK.includes(hostname) || isExcepted(hostname.toLowerCase(), read('NO_PROXY') ?? '')
      return Promise.resolve(isDirect || proxy === undefined || proxy === '' ? null : proxy)
    },
  }
}
