/** Answers that hold more than JSON, are written in other letters, come from something on the way, or lead elsewhere. */
import { describe, expect, it } from 'vitest'
import { readJson, saysProgramError } from '../../../../src-main/station/service/answers.ts'
import { utf8Of } from '../../../../src-main/station/service/answer-text.ts'
import { answering, makeBody, openService, paths, post } from './client-with.ts'
import { openHttpServer } from './loopback.ts'

const NOTICE =
  '<br />\n<b>Deprecated</b>:  Optional parameter [0] in <b>/srv/Api.php</b> on line <b>12</b><br />\n'
const XDEBUG =
  "<br />\n<font size='1'><table class='xdebug-error' dir='ltr'><tr><th>( ! ) Notice: {main}</th></tr></table></font>\n"

describe('JSON among words', () => {
  const value = { success: true, content: { id: 71 } }
  const json = JSON.stringify(value)
  const lines = JSON.stringify(value, null, 2)

  it.each([
    ['a byte order mark', `\uFEFF${json}`],
    ['two of them, and blank lines', `\uFEFF\uFEFF\n\n${json}\n`],
    ['a prefix against inclusion', `)]}',\n${json}`],
    ['another one', `while(1);${json}`],
    ['a third one', `for (;;);${json}`],
    ['a comment before it', `<!-- cached -->\n${json}`],
    ['a comment behind it', `${json}\n<!-- page {generated} in 0.1 s -->`],
    ['zeros behind it', `${json}\0\0`],
  ])('is read as if it stood alone behind %s', (_, text) => {
    expect(readJson(Buffer.from(text))).toEqual({ value, hasOtherText: false })
  })

  it.each([
    ['a notice of PHP', `${NOTICE}${json}`],
    ['several', `${NOTICE}${XDEBUG}${NOTICE}${lines}`],
    ['a notice without markup', `\nWarning: Undefined array key "x" in /srv/Api.php on line 3\n${json}`],
    ['a line of a log', `[20-Nov-2026 07:00:00 UTC] PHP Notice:  x\n${json}`],
    ['words behind it', `${json}\n<br />\n<b>Warning</b>: session could not be stored [13]`],
    ['words around it', `Debug on\n${lines}\nMemory: 2 MB`],
  ])('is read with %s, and the words are noted', (_, text) => {
    expect(readJson(Buffer.from(text))).toEqual({ value, hasOtherText: true })
  })

  it.each([
    ['two values', `${json}\n${json}`],
    ['two different ones among words', `${NOTICE}${json}\nand\n{"id":5}`],
    ['a sentence that quotes one', `Could not store ${json} in the database`],
    ['a page with one in its script', `<!doctype html><script>\n${json}\n</script>`],
    ['a page without a beginning', `<form action="/login">\n${json}\n</form>`],
    ['a page behind it', `${json}\n<html><body>Sign in</body></html>`],
    ['numbers in brackets', `${NOTICE}[0]\n`],
    ['half of one', `${NOTICE}${json.slice(0, -4)}`],
    ['one that is too deep', `${NOTICE}${'['.repeat(70)}${']'.repeat(70)}`],
  ])('is not read out of %s', (_, text) => {
    expect(readJson(Buffer.from(text))).toBeNull()
  })

  it('takes no time to be looked for', () => {
    const before = performance.now()
    for (const text of [
      '\n['.repeat(1_000_000),
      '\n{"'.repeat(1_000_000),
      `\n{${'"'.repeat(3_000_001)}`,
      '<!--'.repeat(500_000),
      '-->'.repeat(500_000),
      `${'\0'.repeat(500_000)}x`,
      `${' '.repeat(16_000_000)}x`,
      `x${'\n'.repeat(2_000_000)}x`,
    ]) {
      readJson(Buffer.from(text))
      saysProgramError(Buffer.from(text))
    }
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('delivers a case, lists cases without proving that others are absent, and signs in', async () => {
    const service = await openService(
      ({ method }) => ({
        text: `${NOTICE}${method === 'POST' ? json : JSON.stringify([value.content])}`,
        headers: { 'content-type': 'text/html' },
      }),
      () => ({ text: `${NOTICE}{"access_token":"t1"}` }),
    )
    expect(await service.client.listCases()).toMatchObject({
      ok: true,
      value: { cases: [{ caseId: '71' }], isComplete: false },
    })
    expect((await post(service.client, makeBody({ sizeBytes: 10 }))).evidence).toMatchObject({ caseId: '71' })
  })

  it.each([
    ['a program that broke off', `<b>Fatal error</b>:  Uncaught PDOException: not stored\n${json}`],
    ['one that broke off later', `${json}\nTraceback (most recent call last):\n  File "a.py"`],
    ['a firewall', 'The request was rejected. Support ID: 88812\n{"id":"88812"}'],
  ])('proves no delivery among the words of %s', async (_, text) => {
    const { client } = await openService(() => ({ text }))
    expect((await post(client, makeBody({ sizeBytes: 10 }))).evidence).toMatchObject({
      caseId: null,
      failure: { kind: 'answerUnreadable' },
    })
  })

  it('does not prove that a case is not there', async () => {
    const { client } = await openService(() => ({ text: `${NOTICE}[]` }))
    expect(await client.getCase('5')).toMatchObject({ ok: false, failure: { kind: 'answerUnreadable' } })
  })

  it('is missed if a program only complains, and this is stated', async () => {
    const fatal = '<br />\n<b>Fatal error</b>:  Uncaught PDOException: no database in /srv/Db.php:4\n'
    const { client } = await openService(() => ({ text: fatal, headers: { 'content-type': 'text/html' } }))
    const failure = {
      kind: 'notAnswering',
      wording: { key: 'sending:service.programError' },
      serviceSaid: expect.stringContaining('Uncaught PDOException') as string,
    }
    expect(await client.listCases()).toMatchObject({ ok: false, failure })
    expect(await client.getReport('5')).toMatchObject({ ok: false, failure })
    const { evidence } = await post(client, makeBody({ sizeBytes: 10 }))
    expect(evidence).toMatchObject({
      caseId: null,
      failure: { kind: 'answerUnreadable', serviceSaid: failure.serviceSaid },
    })
  })

  it('is a report once its words are left out', async () => {
    const { client } = await openService(() => ({
      text: `${NOTICE}{"status":"pending"}`,
      headers: { 'content-type': 'text/html' },
    }))
    expect(await client.getReport('5')).toEqual({ ok: true, value: { kind: 'notReady' } })
  })
})

describe('a text in other letters', () => {
  const NAME = 'Clínica Muñoz – “Ñandú”'
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
  const windows = (text: string): Buffer =>
    latin1(text.replace('–', '\x96').replace('“', '\x93').replace('”', '\x94'))
  const wide = (text: string, isBig: boolean): Buffer => {
    const bytes = Buffer.from(text, 'utf16le')
    return isBig ? bytes.swap16() : bytes
  }
  const centers = JSON.stringify([{ id: 1, name: NAME }])
  const plain = JSON.stringify([{ id: 1, name: 'Clínica Muñoz' }])

  it.each<[string, string, Buffer, string]>([
    ['Latin 1', 'application/json; charset=iso-8859-1', latin1(plain), 'Clínica Muñoz'],
    ['Windows 1252', 'application/json;charset="windows-1252"', windows(centers), NAME],
    ['Windows 1252 by another name', "text/html; Charset='cp1252'", windows(centers), NAME],
    ['Latin 1 that nothing names', 'application/json', latin1(plain), 'Clínica Muñoz'],
    ['Latin 1 called UTF-8', 'application/json; charset=utf-8', latin1(plain), 'Clínica Muñoz'],
    ['UTF-8 called Latin 1', 'application/json; charset=ISO-8859-1', Buffer.from(centers), NAME],
    ['UTF-8 under a name that no one knows', 'application/json; charset=x-own', Buffer.from(centers), NAME],
    ['UTF-16', 'application/json; charset=utf-16', wide(`\uFEFF${centers}`, false), NAME],
    ['UTF-16, high bytes first', 'application/json; charset=utf-16be', wide(centers, true), NAME],
    ['UTF-16 without a mark or a name', 'application/json', wide(centers, false), NAME],
    ['Latin 9', 'application/json; charset=iso-8859-15', latin1(plain.replace('Muñoz', '\xa4')), 'Clínica €'],
    [
      'Cyrillic',
      'application/json; charset=windows-1251',
      Buffer.from('5b7b226964223a312c226e616d65223a22cac22d37227d5d', 'hex'),
      'КВ-7',
    ],
    [
      'Japanese',
      'application/json; charset=Shift_JIS',
      Buffer.from('5b7b226964223a312c226e616d65223a2293fa227d5d', 'hex'),
      '日',
    ],
  ])('names the centers right: %s', async (_, type, text, name) => {
    const { client } = await openService(() => ({ text, headers: { 'content-type': type } }))
    expect(await client.listCenters()).toMatchObject({ ok: true, value: [{ centerId: '1', name }] })
  })

  it('names what is wrong, and the case that was taken', async () => {
    const headers = { 'content-type': 'application/json; charset=iso-8859-1' }
    const refused = await answering({ status: 422, text: latin1('{"message":"Número no válido"}'), headers })
    expect((await post(refused.client, makeBody({ sizeBytes: 10 }))).evidence.failure?.serviceSaid).toBe(
      'Número no válido',
    )
    const taken = await answering({ text: latin1('{"id":7,"nombre":"Muñoz"}'), headers })
    const { evidence } = await post(taken.client, makeBody({ sizeBytes: 10 }))
    expect([evidence.caseId, Buffer.from(evidence.answer?.body ?? []).toString()]).toEqual([
      '7',
      '{"id":7,"nombre":"Muñoz"}',
    ])
  })

  it('leaves a document as it is', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from([0xe9, 0x80, 0xff])])
    const { client } = await openService(() => ({
      text: pdf,
      headers: { 'content-type': 'application/pdf; charset=iso-8859-1' },
    }))
    const report = await client.getReport('5')
    expect(report.ok && report.value.kind === 'report' && Buffer.from(report.value.bytes).equals(pdf)).toBe(
      true,
    )
    expect(utf8Of(Buffer.from('ASCII'), 'text/plain; charset=utf-8').toString()).toBe('ASCII')
    expect(utf8Of(Buffer.from('{"n":"ñ"}'), 'application/json; charset=utf-16').toString()).toBe('{"n":"ñ"}')
    expect(utf8Of(Buffer.from('5', 'utf16le'), 'application/json; charset=utf-16').toString()).toBe('5')
  })
})

describe('what answers a post in place of the service', () => {
  const instead = (text: string): object => ({
    caseId: null,
    failure: {
      kind: 'answerUnreadable',
      wording: { key: 'sending:service.answeredInstead' },
      message: expect.stringContaining(text) as string,
      serviceSaid: expect.stringContaining(text) as string,
    },
  })
  const menu = 'Home Products Services Contact '.repeat(60)

  it.each([
    [
      'a firewall',
      '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 112435<br><a href="javascript:history.back();">[Go Back]</a></body></html>',
      'Your support ID is: 112435',
    ],
    [
      'another one, without a title',
      '<p>Access denied</p><p>Incident ID: 4711-0815</p>',
      'Incident ID: 4711-0815',
    ],
    [
      'one with a long page',
      `<html><title>Attention Required!</title><body>${menu}<p>Ray ID: 7d1f00aa11bb22cc</p></body></html>`,
      'Ray ID: 7d1f00aa11bb22cc',
    ],
    [
      'a portal',
      '<!doctype html><title>Guest network</title><p>Sign in to go on</p>',
      'Guest network; Sign in to go on',
    ],
    ['a filter in plain words', 'Blocked by policy 17', 'Blocked by policy 17'],
    ['a filter in JSON', '{"blocked":true,"support_id":"112436"}', 'support_id: 112436'],
  ])('is named in its own words, with the number to ask for: %s', async (_, text, expected) => {
    const { client } = await answering({ text })
    expect((await post(client, makeBody({ sizeBytes: 10 }))).evidence).toMatchObject(instead(expected))
  })

  it.each([{ success: true, content: null }, { message: 'created' }, {}])(
    'is not the service itself: %j',
    async (json) => {
      const { client } = await answering({ json })
      const { failure } = (await post(client, makeBody({ sizeBytes: 10 }))).evidence
      expect(failure).toMatchObject({
        kind: 'answerUnreadable',
        wording: { key: 'failure:answerUnreadable.message' },
      })
    },
  )
})

describe('a redirect', () => {
  it.each([
    [301, 'https://new.example/v2/cases', 'moved', 'https://new.example/v2'],
    [302, 'https://user:s3cret@new.example/cases?token=s3cret#who', 'moved', 'https://new.example'],
    [307, 'http://10.0.0.7:8080/cases/?who=Muster', 'movedWithin', 'http://10.0.0.7:8080/cases/'],
    [308, '/eye/api/cases/', 'movedWithin', '/eye/api/cases/'],
    [303, 'https://portal.example/login?back=Muster', 'movedWithin', 'https://portal.example/login'],
  ])('%i to %s is named with its address, and not followed', async (status, location, key, address) => {
    const other = await openHttpServer(() => ({ json: [] }))
    const service = await openService(() => ({ status, headers: { location } }))
    const { client } = service
    const failure = {
      kind: 'wrongAddress',
      status,
      wording: { key: `sending:service.${key}`, values: { address } },
      message: expect.stringMatching(/^The service (?:moved|redirects) to/) as string,
    }
    for (const asked of [
      client.listCases(),
      client.listCenters(),
      client.getCase('5'),
      client.getReport('5'),
    ])
      expect(await asked).toMatchObject({ ok: false, failure })
    const { evidence } = await post(client, makeBody({ sizeBytes: 10 }))
    expect(evidence).toMatchObject({ caseId: null, failure })
    expect(JSON.stringify(evidence.failure)).not.toMatch(/s3cret|Muster/)
    expect(paths(service).filter((path) => !/authorize|cases|centers/.test(path))).toEqual([])
    expect(other.connectionCount()).toBe(0)
  })

  it.each([
    [304, {}],
    [302, { location: 'javascript:alert(1)' }],
    [302, { location: 'cases' }],
    [302, {}],
  ])('%i with %j names no address', async (status, headers) => {
    const { client } = await openService(() => ({ status, headers }))
    expect(await client.listCases()).toMatchObject({
      failure: { kind: 'wrongAddress', wording: { key: 'failure:wrongAddress.message' } },
    })
  })
})

describe('the next page of a list', () => {
  it.each([
    ['an inner host', 'http://10.1.2.3:8080/cases?page=2'],
    ['an inner name', 'http://app-internal/api/cases?page=2'],
    ['a path without that of the gateway', '/cases?page=2'],
    ['a path of our own', '/eye/api/cases?page=2'],
  ])('is asked for at our own address if its link names %s', async (_, next) => {
    const service = await openService(({ path }) => ({
      json: path.includes('page=2') ? { data: [{ id: 2 }] } : { data: [{ id: 1 }], links: { next } },
    }))
    const listed = await service.client.listCases()
    expect(listed).toMatchObject({
      ok: true,
      value: { cases: [{ caseId: '1' }, { caseId: '2' }], isComplete: true },
    })
    expect(paths(service).slice(1)).toEqual(['GET /eye/api/cases', 'GET /eye/api/cases?page=2'])
  })

  it('is not asked for if its link leads to anything else', async () => {
    const service = await openService(() => ({
      json: { data: [{ id: 1 }], next: 'https://elsewhere.example/more?page=2' },
    }))
    expect(await service.client.listCases()).toMatchObject({ ok: true, value: { isComplete: false } })
    expect(paths(service)).toHaveLength(2)
  })
})
