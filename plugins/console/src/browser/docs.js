/* Draws the API reference. Runs in the browser after swagger-ui.js. */
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', prefersDark.matches);
prefersDark.addEventListener('change', followScheme);
followScheme();

const target = document.getElementById('docs');
window.SwaggerUIBundle({
  domNode: target,
  url: target.dataset.document,
  deepLinking: true,
  // Closed groups keep a document of many operations fast; a model is shown where an operation uses it.
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  // No other host is asked whether the document is valid.
  validatorUrl: null,
  layout: 'BaseLayout',
});
