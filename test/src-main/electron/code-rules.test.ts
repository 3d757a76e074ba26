import { describe, expect, it } from 'vitest'
import { countCalls, findForbidden, type CodePlace } from './code-rules.ts'

describe('the rules for built code', () => {
  it.each<[CodePlace, string, string]>([
    ['main', 'eval("1")', 'code from a text: eval'],
    ['renderer', 'new Function("return 1")()', 'code from a text: Function'],
    ['renderer', 'Function("return this")()', 'code from a text: Function'],
    ['main', 'connect({ rejectUnauthorized: false })', 'rejectUnauthorized: false'],
    ['main', 'connect({ "rejectUnauthorized": !1 })', 'rejectUnauthorized: false'],
    ['main', 'process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"', 'the text NODE_TLS_REJECT_UNAUTHORIZED'],
    ['main', 'const env = { x: `ELECTRON_RUN_AS_NODE=1` }', 'the text ELECTRON_RUN_AS_NODE'],
    [
      'main',
      'app.commandLine.appendSwitch("ignore-certificate-errors")',
      'the text ignore-certificate-errors',
    ],
    ['main', 'app.commandLine.appendSwitch("no-sandbox")', 'the text no-sandbox'],
    ['main', 'app.on("certificate-error", accept)', 'the text certificate-error'],
    ['main', 'open({ webPreferences: { webSecurity: !1 } })', 'webSecurity: false'],
    ['main', 'open({ webPreferences: { nodeIntegration: !0 } })', 'nodeIntegration: true'],
    ['main', 'import { fork } from "node:child_process"; fork("x")', 'the name fork'],
    ['main', 'import * as children from "node:child_process"; children.fork("x")', 'the name fork'],
    ['main', 'window.loadFile("index.html")', 'the name loadFile'],
    ['main', 'session.setCertificateVerifyProc(x)', 'the name setCertificateVerifyProc'],
    ['main', 'dialog.showOpenDialog({ title: "x" })', 'showOpenDialog without defaultPath'],
    ['main', 'dialog.showSaveDialogSync(w, {})', 'showSaveDialogSync without defaultPath'],
    ['main', 'open({ webPreferences: { partition: "persist:x" } })', 'a session of its own: partition'],
    ['main', 'import { utilityProcess } from "electron"', 'the name utilityProcess'],
    ['main', 'import { crashReporter } from "electron"', 'the name crashReporter'],
    ['main', 'if (net.isOnline()) send()', 'the name isOnline'],
    ['preload', 'import { ipcRenderer } from "electron"', 'a module: ImportDeclaration'],
    ['preload', 'import("electron")', 'a module: ImportExpression'],
    ['preload', 'require("node:fs")', 'require(node:fs)'],
    ['preload', 'require(name)', 'require(of something)'],
    ['renderer', 'require("electron")', 'require(electron)'],
  ])('find in %s: %s', (place, code, found) => {
    expect(findForbidden(code, place)).toContain(found)
  })

  it.each<[CodePlace, string]>([
    ['main', '// eval("1") and no-sandbox, rejectUnauthorized: false'],
    ['main', 'connect({ rejectUnauthorized: true, sandbox: !0, webSecurity: !0 })'],
    ['main', 'spawn("reg", ["query"])'],
    ['main', 'dialog.showOpenDialog({ defaultPath: folder })'],
    ['preload', 'let electron = require("electron"), { EventEmitter } = require("events")'],
    ['renderer', 'const evaluated = value.eval?.length'],
  ])('find nothing in %s: %s', (place, code) => {
    expect(findForbidden(code, place)).toEqual([])
  })

  it('count the calls of one thing', () => {
    expect(
      countCalls(
        'shell.openExternal(a); other.openExternal(b); shell.openExternal(c)',
        'shell',
        'openExternal',
      ),
    ).toBe(2)
  })
})
