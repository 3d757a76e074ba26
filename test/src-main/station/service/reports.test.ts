import { describe, expect, it } from 'vitest'
import { readReport } from '../../../../src-main/station/service/reports.ts'
import { fc } from '../../../tools/property.ts'
import { anyBytes } from './hostile-json.ts'

const PDF = Buffer.from('%PDF-1.4\nsynthetic\n%%EOF\n')
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex')
const BASE64 = PDF.toString('base64')

function read(body: unknown, headers: Record<string, string> = {}, status = 200): unknown {
  const bytes =
    body instanceof Uint8Array || typeof body === 'string'
      ? Buffer.from(body)
      : Buffer.from(JSON.stringify(body))
  const reading = readReport({ status, headers, body: bytes, isComplete: true })
  if (reading.kind !== 'report') return reading.kind
  return [reading.reportKind, reading.contentType, Buffer.from(reading.bytes).toString('latin1')]
}

const pdf = ['pdf', 'application/pdf', PDF.toString('latin1')]

describe('readReport', () => {
  it.each<[string, unknown, Record<string, string>]>([
    ['PDF', PDF, { 'content-type': 'application/pdf' }],
    ['PDF under a wrong label', PDF, { 'content-type': 'text/html' }],
    ['PDF after white space', Buffer.concat([Buffer.from('\ufeff\r\n '), PDF]), {}],
    ['base64 as a JSON text', JSON.stringify(BASE64), {}],
    ['base64 in content', { success: true, content: BASE64 }, {}],
    ['base64 with a data: prefix', { report: `data:application/pdf;base64,${BASE64}` }, {}],
    ['base64 with a name in its prefix', { file: `data:application/pdf;name=a.pdf;base64,${BASE64}` }, {}],
    ['base64 with line breaks', { content: { file: BASE64.replace(/.{8}/g, '$&\r\n') } }, {}],
    ['base64 deep inside', { data: { report: { document: { data: BASE64 } } } }, {}],
    ['base64 beside findings', { diagnosis: { dr: 'none' }, pdf: BASE64 }, {}],
    ['base64 as plain text', BASE64, { 'content-type': 'text/plain' }],
  ])('reads %s as a PDF', (_name, body, headers) => {
    expect(read(body, headers)).toEqual(pdf)
  })

  it.each<[string, unknown, number]>([
    ['404', { message: 'no report' }, 404],
    ['202', '', 202],
    ['202 with words', { status: 'pending' }, 202],
    ['204', '', 204],
    ['an empty body', '', 200],
    ['null', null, 200],
    ['an empty text', '""', 200],
    ['an empty array', [], 200],
    ['an empty object', {}, 200],
    ['null content', { success: true, content: null }, 200],
    ['empty content', { success: true, content: '' }, 200],
    ['success:false', { success: false, content: 'Report not available' }, 200],
    ['success:false under 400', { success: false, content: 'Report not available' }, 400],
    ['an error', { error: 'not ready' }, 200],
    ['a state alone', { id: 5, status: 'pending' }, 200],
    ['a state and numbers', { status: 'processing', progress: 50 }, 200],
    ['a message alone', { message: 'The report is not ready yet' }, 200],
    ['ready:false', { ready: false, eta: 60 }, 200],
    ['an empty report', { id: 5, status: 'received', report: null }, 200],
    ['plain words', 'Report not available', 200],
    ['plain words in JSON', '"pending"', 200],
    ['false', 'false', 200],
  ])('takes %s for not ready', (_name, body, status) => {
    expect(read(body, {}, status)).toBe('notReady')
  })

  it.each<[string, unknown, unknown?]>([
    ['findings', { od: { dr: 'mild' }, os: { dr: 'none' } }],
    [
      'findings in an envelope',
      { success: true, content: { dr: 'mild', grade: 2 } },
      { dr: 'mild', grade: 2 },
    ],
    ['a list of findings', [{ eye: 'OD', dr: 1 }]],
    ['findings with a thumbnail', { dr: 1, thumbnail: PNG.toString('base64') }],
    ['findings with a link', { dr: 1, url: 'https://x.example/r' }],
    ['a message that is a finding', { message: 'No signs of retinopathy' }],
    ['findings while pending', { status: 'pending', report: { dr: 1 } }, { dr: 1 }],
  ])('reads %s as JSON', (_name, body, findings = body) => {
    expect(read(body)).toEqual(['json', 'application/json', JSON.stringify(findings)])
  })

  it.each<[string, unknown, string]>([
    ['url', { url: 'https://x.example/r.pdf' }, 'https://x.example/r.pdf'],
    [
      'report in content',
      { success: true, content: { report: 'https://x.example/r' } },
      'https://x.example/r',
    ],
    ['a text in content', { success: true, content: 'https://x.example/r' }, 'https://x.example/r'],
    ['a path', { pdf_url: '/files/5.pdf', id: 5 }, '/files/5.pdf'],
    ['two links', { url: 'https://x.example/r', pdf_url: 'https://x.example/p' }, 'https://x.example/r'],
  ])('reads %s as a link', (_name, body, address) => {
    expect(read(body)).toEqual(['link', 'text/uri-list', address])
  })

  const image = ['image', 'image/png', PNG.toString('latin1')]
  const text = ['text', 'text/plain;charset=utf-8', 'Normal fundus.']
  const html = (content: string, charset = 'utf-8'): unknown => [
    'html',
    `text/html;charset=${charset}`,
    content,
  ]
  const PAGE = '<!DOCTYPE html><p>ok</p>'
  const COMMENTS = '<!-- a --><!-- b --> <html></html>'
  it.each<[string, unknown, string, unknown]>([
    ['HTML', PAGE, '', html(PAGE)],
    ['HTML after comments', COMMENTS, '', html(COMMENTS)],
    ['HTML by its label', '<p>ok</p>', 'text/html; charset=ISO-8859-1', html('<p>ok</p>', 'windows-1252')],
    ['an image', PNG, 'application/octet-stream', image],
    ['an image in base64', { content: `data:image/png;base64,${PNG.toString('base64')}` }, '', image],
    ['text', 'Normal fundus.', 'text/plain', text],
    ['text in content', { success: true, content: 'Normal fundus.' }, '', text],
    ['a page that asks for a password', '<html><input type="password"></html>', '', 'signInPage'],
    ['bytes of no kind', Buffer.from([1, 2, 3, 0, 5]), '', 'unreadable'],
    ['a zip', Buffer.from('504b0304140000000800', 'hex'), '', 'unreadable'],
  ])('reads %s', (_name, body, label, expected) => {
    expect(read(body, label === '' ? {} : { 'content-type': label })).toEqual(expected)
  })

  it('turns text of another charset into UTF-8', () => {
    const latin = Buffer.from('Retinopat\xeda leve', 'latin1')
    const reading = readReport({
      status: 200,
      headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
      body: latin,
      isComplete: true,
    })
    expect(reading.kind === 'report' && Buffer.from(reading.bytes).toString('utf8')).toBe('Retinopatía leve')
  })

  it.each([401, 403, 500, 503, 302])('reads no report of status %s', (status) => {
    expect(read(PDF, {}, status)).toBe('unreadable')
  })

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(anyBytes, fc.string(), fc.integer({ min: 200, max: 599 }), (body, label, status) => {
        readReport({ status, headers: { 'content-type': label }, body, isComplete: true })
      }),
    )
  })

  it('takes no time over a hostile page', () => {
    const before = performance.now()
    read('<!-- -->'.repeat(200_000))
    read('<input '.repeat(200_000))
    read(`{"a":"${'JVBERi0'.repeat(100_000)}\u00e9"}`)
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
