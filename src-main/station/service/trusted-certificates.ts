import tls from 'node:tls'

/**
 * Node's own list of authorities together with the operating system's, where a clinic's IT keeps the authority of
 * its firewall. Null where neither can be read: then Node's defaults hold. Built once, because a list of hundreds
 * costs about 20 ms per connection otherwise; never empty, because an empty list would trust nobody.
 */
export function trustedCertificates(): tls.SecureContext | null {
  const authorities = new Set([...certificates('default'), ...certificates('system')])
  return authorities.size === 0 ? null : tls.createSecureContext({ ca: [...authorities] })
}

/** Electron's TLS may lack the function, and a system store may be unreadable: the other list still counts. */
function certificates(kind: 'default' | 'system'): readonly string[] {
  if (typeof tls.getCACertificates !== 'function') return kind === 'default' ? tls.rootCertificates : []
  try {
    return tls.getCACertificates(kind)
  } catch {
    return kind === 'default' ? tls.rootCertificates : []
  }
}
