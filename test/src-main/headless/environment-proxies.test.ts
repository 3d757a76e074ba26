import { describe, expect, it } from 'vitest'
import { environmentProxies } from '../../../src-main/headless/ports.ts'

const PROXY = 'http://proxy.clinic.example:3128'
const ADDRESS = 'https://service.example/api'

describe('the proxy for an address', () => {
  it.each([
    ['none', {}, ADDRESS, null],
    ['HTTPS_PROXY', { HTTPS_PROXY: PROXY }, ADDRESS, PROXY],
    ['https_proxy', { https_proxy: PROXY }, ADDRESS, PROXY],
    ['the one in small letters first', { https_proxy: PROXY, HTTPS_PROXY: 'http://other:1' }, ADDRESS, PROXY],
    ['not the one for http', { HTTP_PROXY: PROXY }, ADDRESS, null],
    ['HTTP_PROXY', { HTTP_PROXY: PROXY }, 'http://service.example', PROXY],
    ['an empty one', { HTTPS_PROXY: '' }, ADDRESS, null],
    ['loopback by name', { HTTP_PROXY: PROXY }, 'http://localhost:8080', null],
    ['loopback by number', { HTTP_PROXY: PROXY }, 'http://127.0.0.1:8080', null],
    ['loopback in six', { HTTP_PROXY: PROXY }, 'http://[::1]:8080', null],
    ['NO_PROXY for all', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, ADDRESS, null],
    ['NO_PROXY by name', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.example, service.example' }, ADDRESS, null],
    ['NO_PROXY by domain', { HTTPS_PROXY: PROXY, no_proxy: 'example' }, ADDRESS, null],
    ['NO_PROXY by domain with a dot', { HTTPS_PROXY: PROXY, NO_PROXY: '.example' }, ADDRESS, null],
    ['NO_PROXY for another', { HTTPS_PROXY: PROXY, NO_PROXY: 'ice.example,other' }, ADDRESS, PROXY],
    [
      'NO_PROXY with a star, as Windows people write it',
      { HTTPS_PROXY: PROXY, NO_PROXY: '*.example' },
      ADDRESS,
      null,
    ],
    [
      'NO_PROXY with a dot for the domain itself',
      { HTTPS_PROXY: PROXY, NO_PROXY: '.service.example' },
      ADDRESS,
      null,
    ],
    ['NO_PROXY with its port', { HTTPS_PROXY: PROXY, NO_PROXY: 'service.example:443' }, ADDRESS, null],
  ])('%s', async (_what, environment, url, proxy) => {
    expect(await environmentProxies(environment).proxyFor(url)).toBe(proxy)
  })
})
