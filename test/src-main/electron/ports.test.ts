import { describe, expect, it } from 'vitest'
import { parsePacResult } from '../../../src-main/electron/ports.ts'

describe('the proxy that the system names', () => {
  it.each([
    ['DIRECT', null],
    ['', null],
    ['PROXY proxy.clinic.example:3128', 'http://proxy.clinic.example:3128'],
    ['PROXY proxy.clinic.example:3128; DIRECT', 'http://proxy.clinic.example:3128'],
    ['DIRECT; PROXY proxy.clinic.example:3128', null],
    ['PROXY 10.0.0.1:8080;PROXY 10.0.0.2:8080', 'http://10.0.0.1:8080'],
    ['PROXY proxy.clinic.example', 'http://proxy.clinic.example:80'],
    ['PROXY proxy.clinic.example:80', 'http://proxy.clinic.example:80'],
    ['PROXY [2001:db8::1]:3128', 'http://[2001:db8::1]:3128'],
    ['PROXY [2001:db8::1]', 'http://[2001:db8::1]:80'],
    ['HTTPS secure.clinic.example:443', 'https://secure.clinic.example:443'],
    ['  proxy   lower.example:1  ', 'http://lower.example:1'],
    ['SOCKS5 socks.clinic.example:1080', 'socks5://socks.clinic.example:1080'],
    // SOCKS alone means version 4, which our HTTP client does not speak: the next way is taken.
    ['SOCKS socks.clinic.example:1080; PROXY a.example:8080', 'http://a.example:8080'],
    ['QUIC a.example:443; HTTPS b.example:8443; DIRECT', 'https://b.example:8443'],
    ['PROXY', null],
    ['PROXY a.example:99999; PROXY b.example:3128', 'http://b.example:3128'],
    ['PROXY user:word@a.example:3128; DIRECT', null],
    ['PROXY a.example/path; DIRECT', null],
    ['<html>captive portal</html>', null],
  ])('%j gives %j', (answer, proxy) => {
    expect(parsePacResult(answer)).toBe(proxy)
  })
})
