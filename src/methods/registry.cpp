#include "methods/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.h"
#include "isthmus/errors.h"
#include "methods/cdda.h"
#include "methods/coral.h"
#include "methods/gfk.h"
#include "methods/jda.h"
#include "methods/logistic.h"
#include "methods/lrsr.h"
#include "methods/ltsl.h"
#include "methods/nn.h"
#include "methods/pca.h"
#include "methods/rsa_cdda/rsa_cdda.h"
#include "methods/sa.h"
#include "methods/tca.h"
#include "methods/tsl.h"

namespace isthmus {

const std::vector<Method>& registry() {
  static const std::vector<Method> list{
      entry("nn", "Nearest neighbour", "1-NN on the prepared features, without adaptation.",
            "Cover & Hart, Nearest neighbor pattern classification, 1967", fit_nn),
      entry("logistic", "Logistic regression",
            "Multinomial logistic regression on the prepared source, without adaptation.",
            "Cox, The regression analysis of binary sequences, 1958", fit_logistic),
      entry("pca", "Principal component analysis", "1-NN in the principal subspace of both domains together.",
            "Pearson, On lines and planes of closest fit, 1901", fit_pca),
      entry("gfk", "Geodesic flow kernel",
            "1-NN over all subspaces on the geodesic from the source's principal subspace to the target's.",
            "Gong, Shi, Sha, Grauman, Geodesic flow kernel for unsupervised domain adaptation, CVPR 2012",
            fit_gfk),
      entry("tca", "Transfer component analysis",
            "The subspace that keeps variance while the means of both domains fall together.",
            "Pan, Tsang, Kwok & Yang, Domain adaptation via transfer component analysis, 2011", fit_tca),
      entry(
          "tsl", "Transfer subspace learning",
          "A subspace that serves a criterion on the source while the domains' densities agree in it.",
          "Si, Tao, Geng, Bregman divergence-based regularization for transfer subspace learning, TKDE 2010",
          fit_tsl),
      entry(
          "jda", "Joint distribution adaptation",
          "TCA that also brings the means of each class together, round by round with its own target labels.",
          "Long, Wang, Ding, Sun & Yu, Transfer feature learning with joint distribution adaptation, 2013",
          fit_jda),
      entry("cdda", "Close yet discriminative domain adaptation",
            "JDA that also pushes each class away from the others, across domains and within the source.",
            "Luo, Wang, Hu, Wang, Tang & Chen, Close yet discriminative domain adaptation, 2017", fit_cdda),
      entry("lrsr", "Low-rank and sparse representation with relaxed labels",
            "A regression subspace in which source samples rebuild the target by few, low-rank coefficients.",
            "Xu, Fang, Wu, Li & Zhang, Discriminative transfer subspace learning via low-rank and sparse "
            "representation, 2016",
            fit_lrsr),
      entry("ltsl", "Low-rank transfer subspace learning",
            "A PCA or LDA subspace in which the source rebuilds the target by low-rank coefficients.",
            "Shao, Kit & Fu, Generalized transfer subspace learning through low-rank constraint, 2014",
            fit_ltsl),
      entry("rsa-cdda", "Robust data geometric structure aligned, close yet discriminative domain adaptation",
            "Classes drawn together across domains and pushed apart from others, labels from the latent "
            "geometry.",
            "Luo, Wang, Hu & Chen, Robust data geometric structure aligned close yet discriminative domain "
            "adaptation, 2017",
            fit_rsa_cdda),
      entry("sa", "Subspace alignment",
            "1-NN after turning the source's principal subspace towards the target's.",
            "Fernando, Habrard, Sebban, Tuytelaars, Unsupervised visual domain adaptation using subspace "
            "alignment, ICCV 2013",
            fit_sa),
      entry("coral", "Correlation alignment",
            "1-NN after giving the source the target's mean and covariance.",
            "Sun, Feng, Saenko, Return of frustratingly easy domain adaptation, AAAI 2016", fit_coral),
  };
  return list;
}

const Method& find_entry(const std::vector<Method>& methods, std::string_view name) {
  std::vector<std::string> names;
  for (const Method& method : methods) {
    if (method.info.name == name) return method;
    names.emplace_back(method.info.name);
  }
  throw InvalidArgument(fmt::format("there is no method '{}'{}; the methods are: {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
}

std::span<const MethodInfo> methods() {
  static const std::vector<MethodInfo> infos = [] {
    std::vector<MethodInfo> list;
    for (const Method& method : registry()) list.push_back(method.info);
    return list;
  }();
  return infos;
}

const MethodInfo& find_method(std::string_view name) {
  return find_entry(registry(), name).info;
}

}  // namespace isthmus
