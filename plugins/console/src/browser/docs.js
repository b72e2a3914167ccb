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
  // Collapsed groups keep a large document fast; each model appears with the operations that use it.
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  // Prevents sending the document to an outside validator.
  validatorUrl: null,
  layout: 'BaseLayout',
});
