import type { Proxies } from '../station/ports.ts'

/** Names with or without a port; a domain may be written `example`, `.example` or `*.example`, and means itself, too. */
function isExempt(host: string, port: string, exceptions: string): boolean {
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', onlyPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
      if (onlyPort !== undefined && onlyPort !== port) return false
      return host === name || host.endsWith(`.${name}`)
    })
}

const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** The proxies of the environment, as command-line programs understand it: HTTPS_PROXY, HTTP_PROXY, NO_PROXY. */
export function environmentProxies(environment: NodeJS.ProcessEnv): Proxies {
  const read = (name: string): string | undefined => environment[name.toLowerCase()] ?? environment[name]
  return {
    proxyFor: (url) => {
      const { protocol, hostname, port } = new URL(url)
      const usedPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
      const proxy = protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY')
      const isDirect =
        LOOPBACK_HOSTS.includes(hostname) ||
        isExempt(hostname.toLowerCase(), usedPort, read('NO_PROXY') ?? '')
      return Promise.resolve(isDirect || proxy === undefined || proxy === '' ? null : proxy)
    },
  }
}
