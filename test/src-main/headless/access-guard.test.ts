import { describe, expect, it } from 'vitest'
import { bearerToken, createAccessGuard, subprotocolToken } from '../../../src-main/headless/http-server.ts'

const guard = createAccessGuard(['127.0.0.1:4100', 'localhost:4100'], 'the-token')

describe('a request', () => {
  it.each([
    [{ host: '127.0.0.1:4100' }, true],
    [{ host: 'localhost:4100', origin: 'http://localhost:4100' }, true],
    // The screens were opened under one of our names and ask under the other.
    [{ host: '127.0.0.1:4100', origin: 'http://localhost:4100' }, true],
    [{}, false],
    [{ host: '' }, false],
    [{ host: '127.0.0.1' }, false],
    [{ host: '127.0.0.1:4101' }, false],
    [{ host: 'rebound.attacker.example:4100' }, false],
    [{ host: '127.0.0.1:4100.attacker.example' }, false],
    [{ host: '127.0.0.1:4100', origin: 'https://attacker.example' }, false],
    [{ host: '127.0.0.1:4100', origin: 'http://localhost:3000' }, false],
    [{ host: '127.0.0.1:4100', origin: 'https://localhost:4100' }, false],
    // A sandboxed frame or a local file.
    [{ host: '127.0.0.1:4100', origin: 'null' }, false],
    [{ host: '127.0.0.1:4100', origin: '' }, false],
  ])('with %j is ours: %j', (headers, isOurs) => {
    expect(guard.isOurs(headers)).toBe(isOurs)
  })
})

describe('a token', () => {
  it.each([
    ['the-token', true],
    ['the-toke', false],
    ['the-token ', false],
    ['THE-TOKEN', false],
    ['', false],
    [null, false],
  ])('%j is known: %j', (token, isKnown) => {
    expect(guard.hasToken(token)).toBe(isKnown)
  })

  it.each([
    ['Bearer abc', 'abc'],
    ['Bearer a b', 'a b'],
    ['Bearer ', null],
    ['Basic abc', null],
    ['abc', null],
    [undefined, null],
  ])('is read out of %j', (authorization, token) => {
    expect(bearerToken(authorization === undefined ? {} : { authorization })).toBe(token)
  })

  it.each([
    ['fundus-courier, token.abc', 'abc'],
    ['token.abc,fundus-courier', 'abc'],
    ['token.', ''],
    ['fundus-courier', null],
    [undefined, null],
  ])('is read out of the subprotocols %j', (offered, token) => {
    expect(subprotocolToken(offered === undefined ? {} : { 'sec-websocket-protocol': offered })).toBe(token)
  })
})
